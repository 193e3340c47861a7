package dev.statectl.cli;

import dev.statectl.port.SaveRules;
import dev.statectl.state.ExportReader;
import dev.statectl.state.MalformedExportException;
import dev.statectl.state.State;
import dev.statectl.usecase.StateSource;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.CharBuffer;
import java.nio.channels.Channels;
import java.nio.channels.FileChannel;
import java.nio.charset.CharsetDecoder;
import java.nio.charset.CoderResult;
import java.nio.charset.CodingErrorAction;
import java.nio.charset.StandardCharsets;
import java.nio.file.AccessDeniedException;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.FileTime;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * The states of an export, gone through as often as needed. What is no file that can be read twice,
 * such as standard input, is kept in a temporary file that only its owner may read and that has no
 * name: it goes with the process, however that ends.
 */
final class ImportFile implements StateSource, AutoCloseable {
  private static final int PIECE = 64 * 1024;

  private final String name;
  private final FileChannel channel;

  // What is watched for changes between two readings; null for a file of our own.
  private final @Nullable Path watched;
  private @Nullable Stamp seen;
  private int readings;

  private record Stamp(long size, FileTime modified) {
    static Stamp of(Path file) throws IOException {
      return new Stamp(Files.size(file), Files.getLastModifiedTime(file));
    }
  }

  private ImportFile(String name, FileChannel channel, @Nullable Path watched) {
    this.name = name;
    this.channel = channel;
    this.watched = watched;
  }

  /** Opens what is named on the command line: a file, or standard input. */
  static ImportFile open(@Nullable String given, InputStream in, Path workingDirectory) {
    boolean standardInput = given == null || given.equals("-");
    String name = standardInput ? "standard input" : given;
    try {
      if (standardInput) {
        return new ImportFile(name, spooled(in), null);
      }
      Path path = workingDirectory.resolve(name);
      if (Files.isRegularFile(path)) {
        return new ImportFile(name, FileChannel.open(path, StandardOpenOption.READ), path);
      }
      try (InputStream once = Files.newInputStream(path)) {
        return new ImportFile(name, spooled(once), null);
      }
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

  private static FileChannel spooled(InputStream in) throws IOException {
    // Made for its owner only; opened so that it loses its name at once.
    Path file = Files.createTempFile("statectl-import-", "");
    FileChannel channel =
        FileChannel.open(
            file,
            StandardOpenOption.READ,
            StandardOpenOption.WRITE,
            StandardOpenOption.DELETE_ON_CLOSE);
    try {
      in.transferTo(Channels.newOutputStream(channel));
      return channel;
    } catch (IOException | RuntimeException e) {
      channel.close();
      throw e;
    }
  }

  /**
   * Reads the export once.
   *
   * @throws CommandFailure when it cannot be read, or is none that can be stored
   */
  @Override
  public void forEach(Consumer<? super State> action) {
    readings++;
    try {
      checkUnchanged();
      channel.position(0);
      read(action);
    } catch (MalformedExportException e) {
      throw failure(String.valueOf(e.getMessage()));
    } catch (IOException e) {
      throw failure("cannot be read: " + e.getMessage());
    }
  }

  private void checkUnchanged() throws IOException {
    if (watched == null) {
      return;
    }
    Stamp now = Stamp.of(watched);
    if (seen != null && !seen.equals(now)) {
      throw fault(name, "the file was changed while it was read");
    }
    seen = now;
  }

  private void read(Consumer<? super State> action) throws IOException {
    ExportReader reader = new ExportReader(SaveRules.MAX_STATE_BYTES, action);
    CharsetDecoder decoder =
        StandardCharsets.UTF_8
            .newDecoder()
            .onMalformedInput(CodingErrorAction.REPORT)
            .onUnmappableCharacter(CodingErrorAction.REPORT);
    ByteBuffer bytes = ByteBuffer.allocate(PIECE);
    CharBuffer chars = CharBuffer.allocate(PIECE);
    boolean end = false;
    while (!end) {
      end = channel.read(bytes) < 0;
      bytes.flip();
      CoderResult result = decoder.decode(bytes, chars, end);
      reader.read(chars.flip());
      if (result.isError()) {
        throw failure(reader.position() + ": not UTF-8");
      }
      chars.clear();
      bytes.compact();
    }
    reader.end();
  }

  private CommandFailure failure(String what) {
    if (readings == 1) {
      return fault(name, what);
    }
    return new CommandFailure(
        ExitCode.PARTLY,
        name
            + ": "
            + what
            + "; it was changed while it was read, and what stands before that may be stored");
  }

  @Override
  public void close() {
    try {
      channel.close();
    } catch (IOException e) {
      // It was read, and nothing is kept back.
    }
  }

  private static CommandFailure fault(String name, String what) {
    return new CommandFailure(ExitCode.FAILURE, name + ": " + what + "; nothing was changed");
  }
}
