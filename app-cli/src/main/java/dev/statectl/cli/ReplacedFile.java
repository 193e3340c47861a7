package dev.statectl.cli;

import java.io.BufferedWriter;
import java.io.IOException;
import java.io.OutputStreamWriter;
import java.io.Writer;
import java.nio.channels.Channels;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.AccessDeniedException;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import org.jspecify.annotations.Nullable;

/**
 * A file that gets a new content as a whole or not at all: the content is written to a temporary
 * file beside it, which takes its place in the end. A new file may be read by its owner only, since
 * states may hold what is not for everybody; one that is replaced keeps its rights.
 */
final class ReplacedFile implements AutoCloseable {
  private final String name;
  private final Path file;
  private @Nullable Path temporary;
  private @Nullable FileChannel channel;
  private @Nullable Writer writer;

  private ReplacedFile(String name, Path file) {
    this.name = name;
    this.file = file;
  }

  /**
   * Names a file; nothing is touched yet.
   *
   * @throws CommandFailure when there is something under the name that is no regular file
   */
  static ReplacedFile of(String name, Path workingDirectory) {
    try {
      Path path = workingDirectory.resolve(name);
      // Through links: what they lead to is replaced, not they.
      Path file = Files.exists(path) ? path.toRealPath() : path;
      if (Files.exists(file) && !Files.isRegularFile(file)) {
        throw new CommandFailure(
            ExitCode.FAILURE,
            name + ": not a regular file; leave FILE out to write to standard output",
            "leave FILE out to write to standard output");
      }
      return new ReplacedFile(name, file);
    } catch (InvalidPathException e) {
      throw new CommandFailure(ExitCode.FAILURE, name + ": not a file's name");
    } catch (IOException e) {
      throw new CommandFailure(ExitCode.FAILURE, name + ": " + reason(e));
    }
  }

  /** Tells whether there is a file that would be replaced. */
  boolean exists() {
    return Files.exists(file);
  }

  /** The size of the file that would be replaced. */
  long size() {
    try {
      return Files.size(file);
    } catch (IOException e) {
      throw failure(e);
    }
  }

  /** Adds to the new content. */
  void append(String text) {
    try {
      writer().append(text);
    } catch (IOException e) {
      throw failure(e);
    }
  }

  /** Puts the new content in the place of the old one. */
  void replace() {
    try {
      writer().flush();
      FileChannel written = channel;
      Path whole = temporary;
      if (written == null || whole == null) {
        throw new IllegalStateException("nothing was written");
      }
      if (exists()) {
        Files.setPosixFilePermissions(whole, Files.getPosixFilePermissions(file));
      }
      written.force(true);
      written.close();
      Files.move(whole, file, StandardCopyOption.ATOMIC_MOVE);
      temporary = null;
    } catch (IOException e) {
      throw failure(e);
    }
  }

  /** Removes what did not become the file. */
  @Override
  public void close() {
    try {
      if (channel != null) {
        channel.close();
      }
      if (temporary != null) {
        Files.deleteIfExists(temporary);
      }
    } catch (IOException e) {
      // It is left behind under its own name, and does no harm.
    }
  }

  private Writer writer() throws IOException {
    if (writer == null) {
      Path directory = file.toAbsolutePath().getParent();
      // Made readable for its owner only.
      temporary = Files.createTempFile(directory, "." + file.getFileName() + ".", ".tmp");
      channel = FileChannel.open(temporary, StandardOpenOption.WRITE);
      writer =
          new BufferedWriter(
              new OutputStreamWriter(Channels.newOutputStream(channel), StandardCharsets.UTF_8));
    }
    return writer;
  }

  private CommandFailure failure(IOException cause) {
    return new CommandFailure(
        ExitCode.FAILURE, name + ": cannot be written: " + reason(cause) + "; it was not changed");
  }

  private static String reason(IOException cause) {
    if (cause instanceof NoSuchFileException) {
      return "no such directory";
    }
    if (cause instanceof AccessDeniedException) {
      return "not allowed";
    }
    if (cause instanceof FileSystemException e && e.getReason() != null) {
      return e.getReason();
    }
    return String.valueOf(cause.getMessage());
  }
}
