package dev.penstock.benchmarks;

import java.io.BufferedInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/// A web server on the loopback interface that is as far away as an object store: each request
/// waits before it is answered, and each connection brings only so many bytes a second. One file is
/// served under every name.
final class SlowServer implements AutoCloseable {
  private static final Pattern RANGE = Pattern.compile("(?i)range: bytes=([0-9]+)-([0-9]+)");
  private static final int STEP_BYTES = 256 << 10;

  private final byte[] content;
  private final long latencyNanos;
  private final double bytesPerNano;
  private final ServerSocket listener;
  private final AtomicLong gets = new AtomicLong();
  private final AtomicLong bytes = new AtomicLong();
  private final AtomicInteger open = new AtomicInteger();
  private final AtomicInteger openMost = new AtomicInteger();

  /// Starts a server.
  ///
  /// @param content the file
  /// @param latencyMillis how long each request waits
  /// @param bytesPerSecond what each connection brings
  SlowServer(byte[] content, long latencyMillis, double bytesPerSecond) throws IOException {
    this.content = content;
    this.latencyNanos = latencyMillis * 1_000_000;
    this.bytesPerNano = bytesPerSecond / 1e9;
    this.listener = new ServerSocket(0, 512, InetAddress.getLoopbackAddress());
    Thread.ofVirtual().start(this::accept);
  }

  String url() {
    return "http://127.0.0.1:" + listener.getLocalPort();
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
          LockSupport.parkNanos(latencyNanos);
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
    Matcher range = RANGE.matcher(request);
    boolean part = range.find();
    int from = part ? Integer.parseInt(range.group(1)) : 0;
    int to = part ? Math.min(content.length, Integer.parseInt(range.group(2)) + 1) : content.length;
    String head =
        (part ? "HTTP/1.1 206 Partial Content" : "HTTP/1.1 200 OK")
            + "\r\nETag: \"1\"\r\nContent-Length: "
            + (to - from)
            + (part
                ? "\r\nContent-Range: bytes " + from + "-" + (to - 1) + "/" + content.length
                : "")
            + "\r\n\r\n";
    out.write(head.getBytes(StandardCharsets.US_ASCII));
    if (request.startsWith("HEAD")) {
      return;
    }
    gets.incrementAndGet();
    bytes.addAndGet(to - from);
    long start = System.nanoTime();
    for (int at = from; at < to; at += STEP_BYTES) {
      int count = Math.min(STEP_BYTES, to - at);
      long due = start + (long) ((at + count - from) / bytesPerNano);
      for (long left = due - System.nanoTime(); left > 0; left = due - System.nanoTime()) {
        LockSupport.parkNanos(left);
      }
      out.write(content, at, count);
    }
  }

  @Override
  public void close() throws IOException {
    listener.close();
  }
}
