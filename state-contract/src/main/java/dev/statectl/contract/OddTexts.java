package dev.statectl.contract;

import dev.statectl.state.StateId;
import java.util.stream.Stream;
import org.junit.jupiter.api.Named;

/**
 * Texts that adapters have stumbled over: what means something to SQL, to JDBC drivers and to
 * template languages, what files and terminals treat specially, and what encodings get wrong. Their
 * names are plain, so that test reports can hold them.
 */
final class OddTexts {
  private static final int TOO_LONG = StateId.MAX_LENGTH + 1;

  private OddTexts() {}

  /** Texts that may be written as ids; each differs from every other. */
  static Stream<Named<String>> ids() {
    return Stream.of(
        Named.of("single quote", "it's"),
        Named.of("single quotes only", "''"),
        Named.of("double quote", "say \"hi\""),
        Named.of("backtick", "`id`"),
        Named.of("backslash", "a\\b"),
        Named.of("backslash last", "a\\"),
        Named.of("backslash and quote", "a\\'b"),
        Named.of("backslash escapes", "\\n\\t\\0\\N\\x41\\u0041"),
        Named.of("question mark", "a?b"),
        Named.of("question marks", "? ?? ?|"),
        Named.of("named parameter", ":name and ::name"),
        Named.of("ClickHouse parameter", "{x:String}"),
        Named.of("JDBC escape", "{fn now()}"),
        Named.of("JDBC escapes", "{d '2026-01-01'} {call x} {escape '!'}"),
        Named.of("line comment", "a -- b"),
        Named.of("hash comment", "a # b"),
        Named.of("slash comment", "a // b"),
        Named.of("block comment", "a /* b */ c"),
        Named.of("open block comment", "a /* b"),
        Named.of("template", "<name> ${name} #{name} %s %1$s"),
        Named.of("SQL drop", "'; DROP TABLE state; --"),
        Named.of("SQL or", "' OR '1'='1"),
        Named.of("SQL union", "x') UNION ALL SELECT 1,2,3,4 --"),
        Named.of("newline", "a\nb"),
        Named.of("carriage return", "a\rb"),
        Named.of("both line ends", "a\r\nb"),
        Named.of("tab", "a\tb"),
        Named.of("NUL", "a\0b"),
        Named.of("NUL last", "a\0"),
        Named.of("control characters", "a\u0001\u0008\u001b\u007f\u0085b"),
        Named.of("emoji", "a\ud83d\ude00b"),
        Named.of("emoji of several characters", "\ud83d\udc69\u200d\ud83d\ude80\ufe0f"),
        Named.of("byte order mark inside", "a\ufeffb"),
        Named.of("byte order mark first", "\ufeffa"),
        Named.of("no character", "a\uffff\uffffb"),
        Named.of("line separator", "a\u2028b\u2029c"),
        Named.of("no-break space only", "\u00a0"),
        Named.of("composed accent", "caf\u00e9"),
        Named.of("combining accent", "cafe\u0301"),
        Named.of("right to left", "\u05d0\u202eabc"),
        Named.of("percent", "%"),
        Named.of("percent sequence", "a%20b%zz"),
        Named.of("underscore", "_"),
        Named.of("star", "*"),
        Named.of("class", "[a]"),
        Named.of("open bracket", "a[b"),
        Named.of("braces", "{{a}}"),
        Named.of("leading space", " a"),
        Named.of("trailing space", "a "),
        Named.of("trailing newline", "a\n"),
        Named.of("upper case", "A"),
        Named.of("lower case", "a"),
        Named.of("word null", "null"),
        Named.of("word NULL", "NULL"),
        Named.of("number", "007"),
        Named.of("path", "../../etc/passwd"),
        Named.of("JSON", "{\"a\":[1,\"b\"]}"),
        Named.of("1024 characters", "x".repeat(StateId.MAX_LENGTH)),
        Named.of("1024 quotes", "'".repeat(StateId.MAX_LENGTH)),
        Named.of("1024 emoji", "\ud83d\ude00".repeat(StateId.MAX_LENGTH)));
  }

  /** Texts that are refused as ids but may stand in a store, put there by other programs. */
  static Stream<Named<String>> idsOfOtherPrograms() {
    return Stream.of(
        Named.of("no text", ""),
        Named.of("one space", " "),
        Named.of("white space", "\t\n \r"),
        Named.of("1025 characters", "x".repeat(TOO_LONG)),
        Named.of("1025 emoji", "\ud83d\ude00".repeat(TOO_LONG)),
        Named.of("20000 characters", "long'%".repeat(3334).substring(0, 20_000)));
  }

  /** Texts that are refused as ids: those of other programs, and what no store can hold. */
  static Stream<Named<String>> idsThatMayNotBeWritten() {
    return Stream.concat(
        idsOfOtherPrograms(), Stream.of(Named.of("half of a surrogate pair", "a\ud83db")));
  }
}
