package dev.penstock.cli;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class LocalPagesTest {
  private static String answer(String address, String host) throws IOException {
    String[] place = address.substring("http://".length()).split("[:/]", 3);
    try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), Integer.parseInt(place[1]))) {
      socket
          .getOutputStream()
          .write(
              ("GET /" + place[2] + " HTTP/1.1\r\nHost: " + host + "\r\nConnection: close\r\n\r\n")
                  .getBytes(US_ASCII));
      String text = new String(socket.getInputStream().readAllBytes(), US_ASCII);
      return text.lines().findFirst().orElse("");
    }
  }

  @Test
  void connectionsThatSayNothingKeepNobodyFromTheMetrics() throws IOException {
    try (MetricsServer server = new MetricsServer(0)) {
      String host = server.address().replace("http://", "").replace("/metrics", "");
      int port = Integer.parseInt(host.split(":", 2)[1]);
      List<Socket> silent = new ArrayList<>();
      try {
        for (int i = 0; i < 20; i++) {
          Socket socket = new Socket(InetAddress.getLoopbackAddress(), port);
          silent.add(socket);
          socket.getOutputStream().write("GET /met".getBytes(US_ASCII));
        }
        assertThat(answer(server.address(), host)).isEqualTo("HTTP/1.1 200 OK");
      } finally {
        for (Socket socket : silent) {
          socket.close();
        }
      }
    }
  }

  @Test
  void metricsAreNotReadByAnotherName() throws IOException {
    try (MetricsServer server = new MetricsServer(0)) {
      String host = server.address().replace("http://", "").replace("/metrics", "");
      assertThat(answer(server.address(), host)).contains("200");
      assertThat(answer(server.address(), host.replace("127.0.0.1", "localhost"))).contains("200");
      for (String other : List.of("evil.example", "evil.example:80", "127.0.0.1", host + ".x")) {
        assertThat(answer(server.address(), other)).contains("403");
      }
    }
  }
}
