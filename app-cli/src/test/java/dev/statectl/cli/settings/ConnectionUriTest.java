package dev.statectl.cli.settings;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

class ConnectionUriTest {
  private static final long SEED = 20261129L;
  private static final String ENCODE =
      "percent-encode what is meant as text (% is %25, @ is %40, / is %2F, ? is %3F, # is %23, : is"
          + " %3A), or give the password as MELTANO_STATE_BACKEND_CLICKHOUSE_PASSWORD, as it is";

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      nullValues = "-",
      textBlock =
          """
          # URI                                        | user | password | host        | port | database
          clickhouse://etl:pw@ch.example.com:8124/mart | etl  | pw       | ch.example.com | 8124 | mart
          CLICKHOUSE://etl@ch/mart                     | etl  | -        | ch          | -    | mart
          clickhouse://etl:@ch/mart                    | etl  | -        | ch          | -    | mart
          clickhouse://:pw@ch                          | -    | pw       | ch          | -    | -
          clickhouse://ch                              | -    | -        | ch          | -    | -
          clickhouse://ch/                             | -    | -        | ch          | -    | -
          clickhouse:///mart                           | -    | -        | -           | -    | mart
          clickhouse://                                | -    | -        | -           | -    | -
          clickhouse://etl@:8124/mart                  | etl  | -        | -           | 8124 | mart
          clickhouse://etl:a:b@ch                      | etl  | a:b      | ch          | -    | -
          clickhouse://etl:a@b@ch                      | etl  | a@b      | ch          | -    | -
          clickhouse://etl:a+b@ch/c+d                  | etl  | a+b      | ch          | -    | c+d
          clickhouse://etl:a b@ch                      | etl  | a b      | ch          | -    | -
          clickhouse://e%3Al:%40%2f@c%68/a%2Fb         | e:l  | @/       | ch          | -    | a/b
          clickhouse://этл:пароль@ch/база              | этл  | пароль   | ch          | -    | база
          clickhouse://%D1%8D:%F0%9F%94%91@ch          | э    | 🔑       | ch          | -    | -
          clickhouse://etl@[2001:db8::1]:8124/mart     | etl  | -        | 2001:db8::1 | 8124 | mart
          clickhouse://[::1]                           | -    | -        | ::1         | -    | -
          clickhouse://[fe80::1%25eth0]/mart           | -    | -        | fe80::1%eth0 | -   | mart
          """)
  void givesItsParts(
      String text, String user, String password, String host, String port, String database) {
    ConnectionUri uri = ConnectionUri.parse(text);

    assertThat(uri.mistakes()).isEmpty();
    assertThat(uri.parts().get(Setting.USER)).isEqualTo(user);
    assertThat(uri.parts().get(Setting.PASSWORD)).isEqualTo(password);
    assertThat(uri.parts().get(Setting.HOST)).isEqualTo(host);
    assertThat(uri.parts().get(Setting.PORT)).isEqualTo(port);
    assertThat(uri.parts().get(Setting.DATABASE)).isEqualTo(database);
  }

  @Test
  void givesItsParameters() {
    ConnectionUri uri =
        ConnectionUri.parse(
            "clickhouse://ch/mart?secure=true&schema=etl%20state&table=a%26b"
                + "&connect_timeout=5&request_timeout=7");

    assertThat(uri.mistakes()).isEmpty();
    assertThat(uri.parts())
        .isEqualTo(
            Map.of(
                Setting.HOST, "ch",
                Setting.DATABASE, "mart",
                Setting.SECURE, "true",
                Setting.SCHEMA, "etl state",
                Setting.TABLE, "a&b",
                Setting.CONNECT_TIMEOUT, "5",
                Setting.REQUEST_TIMEOUT, "7"));
  }

  @ParameterizedTest
  @MethodSource("printableCharacters")
  void everyCharacterCanBeEncodedInEveryPart(String character) {
    String value = "a" + character + "z";

    ConnectionUri uri =
        ConnectionUri.parse(
            "clickhouse://%s:%s@ch/%s?table=%s"
                .formatted(encode(value), encode(value), encode(value), encode(value)));

    assertThat(uri.mistakes()).isEmpty();
    assertThat(uri.parts())
        .isEqualTo(
            Map.of(
                Setting.USER, value,
                Setting.PASSWORD, value,
                Setting.HOST, "ch",
                Setting.DATABASE, value,
                Setting.TABLE, value));
  }

  /** Raw, a character means itself wherever nothing else could be meant by it. */
  @ParameterizedTest
  @MethodSource("printableCharacters")
  void everyCharacterOfAPasswordMeansItselfOrIsPointedAt(String character) {
    ConnectionUri uri = ConnectionUri.parse("clickhouse://etl:a" + character + "z@ch/mart");

    if ("/?#".contains(character)) {
      assertThat(uri.mistakes())
          .containsExactly(
              new ConnectionUri.Mistake(
                  18, "this character may not stand before an @ as it is", ENCODE));
    } else if (character.equals("%")) {
      assertThat(uri.mistakes())
          .containsExactly(
              new ConnectionUri.Mistake(
                  18, "a % stands there that encodes no character in UTF-8", ENCODE));
    } else {
      assertThat(uri.mistakes()).isEmpty();
      assertThat(uri.parts())
          .isEqualTo(
              Map.of(
                  Setting.USER, "etl",
                  Setting.PASSWORD, "a" + character + "z",
                  Setting.HOST, "ch",
                  Setting.DATABASE, "mart"));
    }
    assertThat(uri.masked()).doesNotContain("etl").doesNotContain("a" + character + "z");
  }

  static Stream<String> printableCharacters() {
    return Stream.concat(
        IntStream.rangeClosed(' ', '~').mapToObj(Character::toString),
        Stream.concat(
            IntStream.rangeClosed('Ѐ', 'ӿ').mapToObj(Character::toString),
            Stream.of("🔑", "ß", "€", "\u00A0")));
  }

  @Test
  void randomPartsComeBackAsTheyWere() {
    Random random = new Random(SEED);
    for (int i = 0; i < 5_000; i++) {
      String user = text(random);
      String password = text(random);
      String database = text(random);
      String uri =
          "clickhouse://%s:%s@ch:%d/%s"
              .formatted(encode(user), encode(password), 1 + i, encode(database));

      assertThat(ConnectionUri.parse(uri).parts())
          .as("seed %d, round %d: %s", SEED, i, uri)
          .isEqualTo(
              Map.of(
                  Setting.USER, user,
                  Setting.PASSWORD, password,
                  Setting.HOST, "ch",
                  Setting.PORT, String.valueOf(1 + i),
                  Setting.DATABASE, database));
    }
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          # URI                                | index | what
          clickhouse://etl:s3/cret@ch/mart     | 19 | this character may not stand before an @ as it is
          clickhouse://etl:s3?cret@ch/mart     | 19 | this character may not stand before an @ as it is
          clickhouse://etl:s3#cret@ch/mart     | 19 | this character may not stand before an @ as it is
          clickhouse://etl:s@3/cret@ch/mart    | 20 | this character may not stand before an @ as it is
          clickhouse://etl:pw@ch/mart?table=@  | 22 | this character may not stand before an @ as it is
          clickhouse://etl:100%@ch/mart        | 20 | a % stands there that encodes no character in UTF-8
          clickhouse://etl:1%4@ch/mart         | 18 | a % stands there that encodes no character in UTF-8
          clickhouse://etl:1%zz@ch/mart        | 18 | a % stands there that encodes no character in UTF-8
          clickhouse://etl:1%٤١@ch/mart        | 18 | a % stands there that encodes no character in UTF-8
          clickhouse://etl:1%41%FF@ch/mart     | 18 | a % stands there that encodes no character in UTF-8
          clickhouse://etl@ch/ma%rt            | 22 | a % stands there that encodes no character in UTF-8
          clickhouse://etl@ch:/mart            | 20 | the port must be a number
          clickhouse://etl@ch:80a/mart         | 20 | the port must be a number
          clickhouse://etl@ch:٨١/mart          | 20 | the port must be a number
          clickhouse://etl@2001:db8::1/mart    | 22 | the port must be a number
          clickhouse://etl:s3cret              | 17 | the port must be a number
          clickhouse://etl@[::1/mart           | 17 | no IPv6 address in brackets stands there
          clickhouse://etl@[ch]/mart           | 17 | no IPv6 address in brackets stands there
          clickhouse://etl@[::1]8123/mart      | 22 | a colon and a port must follow the ]
          clickhouse://etl@ch/mart/state       | 24 | the database is one name
          clickhouse://etl@ch/mart#x           | 24 | a fragment has no meaning here
          clickhouse://etl@ch/mart?secure=1#x  | 33 | a fragment has no meaning here
          clickhouse://etl@ch/mart?tabel=x     | 25 | there is no such parameter
          clickhouse://etl@ch/?table=a&table=b | 29 | table is given twice
          clickhouse://etl@ch/?secure          | 27 | secure has no value
          """)
  void pointsAtAMistake(String text, int index, String what) {
    ConnectionUri uri = ConnectionUri.parse(text);

    assertThat(uri.mistakes()).extracting(ConnectionUri.Mistake::index).containsExactly(index);
    assertThat(uri.mistakes()).extracting(ConnectionUri.Mistake::what).containsExactly(what);
  }

  @Test
  void refusesAControlCharacter() {
    assertThat(ConnectionUri.parse("clickhouse://etl:pw@ch/mart\n").mistakes())
        .containsExactly(
            new ConnectionUri.Mistake(27, "a control character stands there", "remove it"));
  }

  @Test
  void tellsAllMistakesAtOnce() {
    assertThat(ConnectionUri.parse("clickhouse://e%:p%@ch:x/a/b?c=d&secure").mistakes())
        .isEqualTo(
            List.of(
                new ConnectionUri.Mistake(
                    14, "a % stands there that encodes no character in UTF-8", ENCODE),
                new ConnectionUri.Mistake(
                    17, "a % stands there that encodes no character in UTF-8", ENCODE),
                new ConnectionUri.Mistake(
                    22,
                    "the port must be a number",
                    "write HOST:PORT, an IPv6 address in brackets, and user and password before an"
                        + " @"),
                new ConnectionUri.Mistake(
                    25,
                    "the database is one name",
                    "remove the rest, or write %2F for a / in the name"),
                new ConnectionUri.Mistake(
                    28,
                    "there is no such parameter",
                    "the parameters are secure, verify, ca_cert, client_cert, client_cert_key, schema, table, cluster, replicated, consistency, connect_timeout, request_timeout,"
                        + " lock_mode, lock_peers, lock_timeout, lock_stale, max_state_bytes"),
                new ConnectionUri.Mistake(38, "secure has no value", "write secure=VALUE")));
  }

  @Test
  void masksAllBeforeTheAt() {
    assertThat(ConnectionUri.parse("clickhouse://etl:p@w@ch/mart?secure=true").masked())
        .isEqualTo("clickhouse://***@ch/mart?secure=true");
    assertThat(ConnectionUri.parse("clickhouse://ch/mart").masked())
        .isEqualTo("clickhouse://ch/mart");
  }

  private static String text(Random random) {
    return random
        .ints(1 + random.nextInt(12), 0, 5)
        .map(
            kind ->
                switch (kind) {
                  case 0 -> ' ' + random.nextInt('~' - ' ' + 1);
                  case 1 -> "%@:/?#[]&=+ '\"\\$".codePointAt(random.nextInt(16));
                  case 2 -> 0x400 + random.nextInt(0x100);
                  case 3 -> 0x1F300 + random.nextInt(0x300);
                  default -> 1 + random.nextInt(0xD7FF);
                })
        .mapToObj(Character::toString)
        .collect(Collectors.joining());
  }

  /** Encodes every byte but letters and digits. */
  private static String encode(String text) {
    StringBuilder result = new StringBuilder();
    for (byte each : text.getBytes(StandardCharsets.UTF_8)) {
      if (each >= '0' && each <= '9' || each >= 'a' && each <= 'z') {
        result.append((char) each);
      } else {
        result.append("%%%02X".formatted(each & 0xFF));
      }
    }
    return result.toString();
  }
}
