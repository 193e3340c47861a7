package dev.statectl.cli;

import dev.statectl.json.JsonObject;
import dev.statectl.json.MalformedJsonException;
import dev.statectl.port.SaveRules;
import dev.statectl.state.StateShape;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.CharBuffer;
import java.nio.charset.CharsetDecoder;
import java.nio.charset.CoderResult;
import java.nio.charset.CodingErrorAction;
import java.nio.charset.StandardCharsets;
import java.nio.file.AccessDeniedException;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;

/**
 * Reads the document that a state is set to. What is wrong with it is told with the place: the
 * file's name, and the byte, the line and column, or the JSON Pointer.
 */
final class DocumentReader {
  private static final String STANDARD_INPUT = "standard input";

  // A document of the greatest size may have white space around it, which is not stored.
  private static final int MAX_BYTES = Math.toIntExact(SaveRules.MAX_STATE_BYTES) + 64 * 1024;

  private final InputStream in;
  private final Path workingDirectory;

  DocumentReader(InputStream in, Path workingDirectory) {
    this.in = in;
    this.workingDirectory = workingDirectory;
  }

  /** Reads a document that stands on the command line. */
  JsonObject ofArgument(String text, boolean validate) {
    return parse("STATE", text, validate);
  }

  /** Reads a document from a file, or from standard input if the file is {@code -}. */
  JsonObject ofFile(String file, boolean validate) {
    String name = file.equals("-") ? STANDARD_INPUT : file;
    return parse(name, decode(name, readBytes(file, name)), validate);
  }

  /** Reads what a person made of a document in an editor. */
  JsonObject ofEdited(Path file, boolean validate) {
    String name = "your text";
    return parse(name, decode(name, readBytes(file.toString(), name)), validate);
  }

  private byte[] readBytes(String file, String name) {
    try (InputStream source = file.equals("-") ? in : Files.newInputStream(path(file))) {
      byte[] bytes = source.readNBytes(MAX_BYTES + 1);
      if (bytes.length > MAX_BYTES) {
        throw fault(
            name, "more than the " + SaveRules.MAX_STATE_BYTES + " bytes that a state may have");
      }
      return bytes;
    } catch (NoSuchFileException e) {
      throw fault(name, "no such file");
    } catch (AccessDeniedException e) {
      throw fault(name, "not allowed to read it");
    } catch (InvalidPathException e) {
      throw fault(name, "not a file's name");
    } catch (IOException e) {
      throw fault(name, "cannot be read: " + e.getMessage());
    }
  }

  private Path path(String file) {
    return workingDirectory.resolve(file);
  }

  private static String decode(String name, byte[] bytes) {
    CharsetDecoder decoder =
        StandardCharsets.UTF_8
            .newDecoder()
            .onMalformedInput(CodingErrorAction.REPORT)
            .onUnmappableCharacter(CodingErrorAction.REPORT);
    ByteBuffer source = ByteBuffer.wrap(bytes);
    CharBuffer text = CharBuffer.allocate(bytes.length);
    CoderResult result = decoder.decode(source, text, true);
    if (result.isError()) {
      throw fault(name, "not UTF-8 at byte " + source.position() + " (counted from 0)");
    }
    return text.flip().toString();
  }

  private static JsonObject parse(String name, String text, boolean validate) {
    JsonObject document;
    try {
      // Editors on Windows put one byte order mark in front of UTF-8.
      document = JsonObject.parse(text.startsWith("\uFEFF") ? text.substring(1) : text);
    } catch (MalformedJsonException e) {
      throw fault(name, e.getMessage());
    }
    if (validate) {
      StateShape.fault(document)
          .ifPresent(
              fault -> {
                throw fault(name, fault + " (--no-validate stores it all the same)");
              });
    }
    return document;
  }

  private static CommandFailure fault(String name, String what) {
    return new CommandFailure(ExitCode.FAILURE, name + ": " + what + "; nothing was changed");
  }
}
