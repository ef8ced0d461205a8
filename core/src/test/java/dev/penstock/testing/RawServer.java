package dev.penstock.testing;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Function;

/// A server on the loopback interface that answers requests with any text, be it HTTP or not, and
/// closes the connection then.
public final class RawServer implements AutoCloseable {
  private final Listener listener = new Listener();
  private final Function<String, String> answer;
  private final List<String> requests = new CopyOnWriteArrayList<>();

  /// Starts a server.
  ///
  /// @param answer makes the answer to a request, which is given as its line and its headers
  public RawServer(Function<String, String> answer) throws IOException {
    this.answer = answer;
    listener.start(this::serve);
  }

  /// Returns the URL of the server, without a slash at its end.
  public String url() {
    return listener.url();
  }

  /// Returns what was asked for: lines and headers.
  public List<String> requests() {
    return requests;
  }

  private void serve(Socket client) throws IOException {
    BufferedReader reader =
        new BufferedReader(
            new InputStreamReader(client.getInputStream(), StandardCharsets.ISO_8859_1));
    StringBuilder head = new StringBuilder();
    for (String line = reader.readLine();
        line != null && !line.isEmpty();
        line = reader.readLine()) {
      head.append(line).append('\n');
    }
    requests.add(head.toString());
    client
        .getOutputStream()
        .write(answer.apply(head.toString()).getBytes(StandardCharsets.ISO_8859_1));
  }

  @Override
  public void close() throws IOException {
    listener.close();
  }
}
