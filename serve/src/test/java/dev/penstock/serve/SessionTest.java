package dev.penstock.serve;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.channels.Channels;
import java.time.Duration;
import java.util.Arrays;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class SessionTest {
  private static final int HEAP = 16 << 20;
  private static final int FRAME = 1 << 20;

  /// A connection whose client is gone.
  private record Ended(InputStream in) implements Server.Connection {
    @Override
    public Frames open() {
      return new Frames(in, Channels.newChannel(OutputStream.nullOutputStream()));
    }

    @Override
    public void close() {}
  }

  @ParameterizedTest
  @CsvSource({"OPEN, 5", "WELCOME, 0"}) // one that breaks off, and one that is not a client's
  void roomOfAFrameThatBecomesNoRequestIsGivenBack(FrameKind kind, int missing) throws Exception {
    ByteArrayOutputStream sent = new ByteArrayOutputStream();
    Frames client = new Frames(InputStream.nullInputStream(), Channels.newChannel(sent));
    client.write(FrameKind.HELLO, "{\"protocol\": 1}");
    client.write(kind, " ".repeat(FRAME));
    byte[] bytes = Arrays.copyOf(sent.toByteArray(), sent.size() - missing);
    try (Connections connections =
            new Connections(new Connections.Limits(1, 1, Duration.ofHours(1)));
        Shortage shortage = new Shortage(HEAP, 1)) {
      Ended connection = new Ended(new ByteArrayInputStream(bytes));
      connections.enter(connection);
      new Session(
              connection, new Gate("", false), connections, shortage, new OpenDatasets().lease())
          .run();
      assertThat(shortage.arriving.take(HEAP / 4)).isEqualTo(HEAP / 4);
    }
  }
}
