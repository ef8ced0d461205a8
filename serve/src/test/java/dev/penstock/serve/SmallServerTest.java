package dev.penstock.serve;

import static org.assertj.core.api.Assertions.assertThat;

import dev.penstock.serve.Frames.Frame;
import java.io.BufferedWriter;
import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Clients that ask a server for more than it has, beside one that reads on.
@Tag("outer")
class SmallServerTest {
  private static final String TOKEN = "a token of the tests";
  private static final int TEXTS = 1_200_000;
  private static final String[] FULL = {"is nearly full", "Java heap space"};

  @TempDir Path folder;

  private static Client client(ServerJvm server) throws IOException {
    Client client = new Client(new Socket(InetAddress.getLoopbackAddress(), server.port()));
    client.greet(TOKEN).expect(FrameKind.WELCOME);
    return client;
  }

  private static ServerJvm server(int files) throws IOException {
    return new ServerJvm(
        files, List.of("-Xmx64m", "-XX:TieredStopAtLevel=1"), TOKEN, Optional.empty());
  }

  /// Asks for something that is an error of memory.
  private static String refusal(ServerJvm server, FrameKind kind, String... requests)
      throws IOException {
    try (Client client = client(server)) {
      for (int i = 0; i < requests.length - 1; i++) {
        client.open(requests[i]);
      }
      client.frames.write(kind, requests[requests.length - 1]);
      Frame frame = client.expect(FrameKind.ERROR);
      assertThat(frame.text()).contains("\"kind\":\"memory\"").contains("-Xmx");
      return frame.text();
    }
  }

  @Test
  void requestThatTakesAllHeapEndsNobodyElse() throws Exception {
    Path texts = folder.resolve("texts.csv");
    try (BufferedWriter out = Files.newBufferedWriter(texts)) {
      out.write("t\n");
      for (int i = 1; i <= TEXTS; i++) {
        out.write("a text " + i + "\n");
      }
    }
    try (ServerJvm server = server(1000);
        RowReader reader =
            new RowReader(client(server), RowReader.write(folder.resolve("rows.csv")))) {
      reader.awaitEpoch();
      String open =
          """
          {"dataset": {"locations": ["%s"]},
           "loader": {"strings": [{"column": "t", "form": "codes"}]}}
          """
              .formatted(texts);
      for (int i = 0; i < 2; i++) {
        assertThat(refusal(server, FrameKind.ASK, open, "{\"what\": \"vocabulary:t\"}"))
            .containsAnyOf(FULL);
        assertThat(refusal(server, FrameKind.BEGIN, open, "{\"number\": 1, \"credits\": 1}"))
            .containsAnyOf(FULL);
        reader.requireWell();
      }
      reader.awaitEpoch();
    }
  }

  @Test
  void longRequestIsRefusedBeforeItIsRead() throws Exception {
    try (ServerJvm server = server(1000);
        RowReader reader =
            new RowReader(client(server), RowReader.write(folder.resolve("rows.csv")))) {
      String numbers =
          IntStream.range(0, 1 << 20).mapToObj(_ -> "1").collect(Collectors.joining(","));
      assertThat(refusal(server, FrameKind.OPEN, "[" + numbers + "]"))
          .contains("what it says needs up to", "of which such requests get");
      assertThat(refusal(server, FrameKind.OPEN, "\"" + "x".repeat(40 << 20) + "\""))
          .contains("its text needs up to 41 MiB of the server's heap");
      String state = "{\\\"" + "1,".repeat(1 << 20);
      assertThat(
              refusal(
                  server,
                  FrameKind.BEGIN,
                  "{\"number\": 1, \"credits\": 1, \"state\": \"" + state + "\"}"))
          .contains("what it says needs up to");
      reader.awaitEpoch();
    }
  }
}
