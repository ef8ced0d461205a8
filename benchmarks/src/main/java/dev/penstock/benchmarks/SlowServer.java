package dev.penstock.benchmarks;

import java.io.BufferedInputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/// A web server on the loopback interface that is as slow as an object store far away: it delays
/// each answer, and limits the bytes a second of each connection.
final class SlowServer implements AutoCloseable {
  /// The delay of a request to an object store, in milliseconds.
  static final long LATENCY_MILLIS = 40;

  /// What one connection to an object store brings in a second.
  static final double BYTES_PER_SECOND = 40e6;

  private static final Pattern NAME = Pattern.compile("[A-Z]+ /(\\S*) ");
  private static final Pattern RANGE = Pattern.compile("(?i)range: bytes=([0-9]+)-([0-9]+)");
  private static final int STEP_BYTES = 256 << 10;

  private final Map<String, Path> files;
  private final ServerSocket listener;
  private final AtomicLong gets = new AtomicLong();
  private final AtomicLong bytes = new AtomicLong();
  private final AtomicInteger open = new AtomicInteger();
  private final AtomicInteger openMost = new AtomicInteger();

  /// Starts a server on a free port.
  ///
  /// @param files the files by their names, which are the paths of their URLs
  SlowServer(Map<String, Path> files) throws IOException {
    this.files = Map.copyOf(files);
    this.listener = new ServerSocket(0, 512, InetAddress.getLoopbackAddress());
    Thread.ofVirtual().start(this::accept);
  }

  /// Returns the URLs of all files, sorted.
  List<String> urls() {
    String server = "http://127.0.0.1:" + listener.getLocalPort() + "/";
    return files.keySet().stream().sorted().map(server::concat).toList();
  }

  long gets() {
    return gets.get();
  }

  long bytes() {
    return bytes.get();
  }

  /// Returns how many requests were answered at once, at most.
  int atOnce() {
    return openMost.get();
  }

  void reset() {
    gets.set(0);
    bytes.set(0);
    openMost.set(0);
  }

  private void accept() {
    while (true) {
      try {
        Socket client = listener.accept();
        client.setTcpNoDelay(true);
        Thread.ofVirtual().start(() -> serve(client));
      } catch (IOException e) {
        return; // closed
      }
    }
  }

  private void serve(Socket client) {
    try (client) {
      InputStream in = new BufferedInputStream(client.getInputStream());
      for (String request = request(in); !request.isEmpty(); request = request(in)) {
        openMost.accumulateAndGet(open.incrementAndGet(), Math::max);
        try {
          LockSupport.parkNanos(LATENCY_MILLIS * 1_000_000);
          answer(request, client.getOutputStream());
        } finally {
          open.decrementAndGet();
        }
      }
    } catch (IOException e) {
      // The client has gone.
    }
  }

  /// Reads the head of a request; empty at the end.
  private static String request(InputStream in) throws IOException {
    StringBuilder head = new StringBuilder();
    for (int b = in.read(); b >= 0; b = in.read()) {
      head.append((char) b);
      if (b == '\n' && head.length() >= 4 && head.lastIndexOf("\r\n\r\n") == head.length() - 4) {
        return head.toString();
      }
    }
    return "";
  }

  private void answer(String request, OutputStream out) throws IOException {
    Matcher name = NAME.matcher(request);
    Path file = name.lookingAt() ? files.get(name.group(1)) : null;
    if (file == null) {
      write(out, "HTTP/1.1 404 Not Found\r\nContent-Length: 0\r\n\r\n");
      return;
    }
    try (FileChannel content = FileChannel.open(file)) {
      long size = content.size();
      Matcher range = RANGE.matcher(request);
      boolean part = range.find();
      long from = part ? Long.parseLong(range.group(1)) : 0;
      long to = part ? Math.min(size, Long.parseLong(range.group(2)) + 1) : size;
      write(
          out,
          (part ? "HTTP/1.1 206 Partial Content" : "HTTP/1.1 200 OK")
              + "\r\nETag: \"1\"\r\nContent-Length: "
              + (to - from)
              + (part ? "\r\nContent-Range: bytes " + from + "-" + (to - 1) + "/" + size : "")
              + "\r\n\r\n");
      if (!request.startsWith("HEAD")) {
        gets.incrementAndGet();
        bytes.addAndGet(to - from);
        copy(content, from, to, out);
      }
    }
  }

  private static void write(OutputStream out, String head) throws IOException {
    out.write(head.getBytes(StandardCharsets.US_ASCII));
  }

  /// Writes a range of a file, as fast as a connection may be.
  private static void copy(FileChannel content, long from, long to, OutputStream out)
      throws IOException {
    byte[] step = new byte[(int) Math.min(STEP_BYTES, to - from)];
    long start = System.nanoTime();
    for (long at = from; at < to; ) {
      int wanted = (int) Math.min(step.length, to - at);
      int count = content.read(ByteBuffer.wrap(step, 0, wanted), at);
      if (count < 0) {
        throw new EOFException("The file has become shorter.");
      }
      long due = start + (long) ((at + count - from) * 1e9 / BYTES_PER_SECOND);
      for (long left = due - System.nanoTime(); left > 0; left = due - System.nanoTime()) {
        LockSupport.parkNanos(left);
      }
      out.write(step, 0, count);
      at += count;
    }
  }

  @Override
  public void close() throws IOException {
    listener.close();
  }
}
