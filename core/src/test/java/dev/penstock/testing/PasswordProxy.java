package dev.penstock.testing;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.Socket;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

/// A proxy of HTTP on the loopback interface that wants a user and a password, and passes requests
/// and tunnels on to ports of the loopback interface, whatever the host.
public final class PasswordProxy implements AutoCloseable {
  private final Listener listener = new Listener();
  private final String authorization;
  private final List<String> passed = new CopyOnWriteArrayList<>();

  /// Starts a proxy.
  public PasswordProxy(String username, String password) throws IOException {
    byte[] both = (username + ":" + password).getBytes(StandardCharsets.UTF_8);
    authorization = "proxy-authorization: basic " + Base64.getEncoder().encodeToString(both);
    listener.start(this::serve);
  }

  /// Returns the URL of the proxy.
  public String url() {
    return listener.url();
  }

  /// Returns the lines of the requests that were passed on.
  public List<String> passed() {
    return passed;
  }

  private void serve(Socket client) throws IOException {
    String head = head(client.getInputStream());
    OutputStream out = client.getOutputStream();
    if (head.lines().noneMatch(line -> line.equalsIgnoreCase(authorization))) {
      out.write(
          """
          HTTP/1.1 407 Proxy Authentication Required
          Proxy-Authenticate: Basic realm="test"
          Content-Length: 0
          Connection: close

          """
              .replace("\n", "\r\n")
              .getBytes(StandardCharsets.ISO_8859_1));
      return;
    }
    String[] line = head.lines().findFirst().orElse("").split(" ", 3);
    passed.add(line[0] + " " + line[1]);
    if (line[0].equals("CONNECT")) {
      int port = Integer.parseInt(line[1].substring(line[1].lastIndexOf(':') + 1));
      try (Socket server = new Socket(InetAddress.getLoopbackAddress(), port)) {
        out.write("HTTP/1.1 200 OK\r\n\r\n".getBytes(StandardCharsets.ISO_8859_1));
        carry(client, server);
      }
    } else {
      URI uri = URI.create(line[1]);
      String own = head.replaceFirst("\\Q" + line[1] + "\\E", path(uri));
      String sent = own.replaceFirst("\r\n", "\r\nConnection: close\r\n");
      try (Socket server = new Socket(InetAddress.getLoopbackAddress(), uri.getPort())) {
        server.getOutputStream().write(sent.getBytes(StandardCharsets.ISO_8859_1));
        server.getInputStream().transferTo(out);
      }
    }
  }

  private static String path(URI uri) {
    return uri.getRawPath() + (uri.getRawQuery() == null ? "" : "?" + uri.getRawQuery());
  }

  private void carry(Socket client, Socket server) throws IOException {
    listener.execute(() -> {
      client.getInputStream().transferTo(server.getOutputStream());
      server.shutdownOutput();
    });
    server.getInputStream().transferTo(client.getOutputStream());
  }

  private static String head(InputStream in) throws IOException {
    StringBuilder head = new StringBuilder();
    while (head.indexOf("\r\n\r\n") < 0) {
      int b = in.read();
      if (b < 0) {
        throw new IOException("no request");
      }
      head.append((char) b);
    }
    return head.toString();
  }

  @Override
  public void close() throws IOException {
    listener.close();
  }
}
