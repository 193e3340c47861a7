package dev.statectl.cli;

import java.io.IOException;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.nio.file.Files;
import java.nio.file.Path;

/** Who runs this process, for people who meet its locks. */
final class ProcessOwner {
  private ProcessOwner() {}

  /** As in {@code etl@worker-3 pid 4711}. */
  static String describe() {
    return System.getProperty("user.name")
        + "@"
        + hostName()
        + " pid "
        + ProcessHandle.current().pid();
  }

  // Linux tells the name itself; elsewhere the name service has to, which may take a while.
  private static String hostName() {
    try {
      return Files.readString(Path.of("/proc/sys/kernel/hostname")).strip();
    } catch (IOException e) {
      try {
        return InetAddress.getLocalHost().getHostName();
      } catch (UnknownHostException unknown) {
        return "localhost";
      }
    }
  }
}
