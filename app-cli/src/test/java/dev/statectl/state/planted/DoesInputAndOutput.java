package dev.statectl.state.planted;

import java.io.InputStream;
import java.net.Socket;
import java.nio.channels.FileChannel;
import java.nio.file.Path;

/** Planted: files, sockets, processes, the terminal. */
final class DoesInputAndOutput {
  InputStream stream;
  Path path;
  FileChannel channel;
  Socket socket;
  ProcessBuilder process;

  void print() {
    System.out.println("planted");
  }
}
