package dev.penstock.serve;

import static org.assertj.core.api.Assertions.assertThat;

import dev.penstock.serve.Frames.Frame;
import dev.penstock.testing.Fuzzed;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.channels.Channels;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;
import java.util.Random;

/// What a stranger sends to a server.
enum FuzzTarget implements Fuzzed {
  /// Frames before the token was shown: they are answered with an error or not at all.
  HELLO;

  private static final String TOKEN = "0123456789abcdef0123456789abcdef";
  private static final long HEAP = 1 << 30;
  private static final String[] HELLOS = {
    "{\"protocol\": 1, \"token\": \"wrong\"}",
    "{\"protocol\": 1}",
    "{\"protocol\": 2, \"token\": \"wrong\", \"more\": [null, {\"a\": 1.5}]}"
  };

  /// A connection that has ended already, and what was answered.
  private record Stranger(ByteArrayInputStream in, ByteArrayOutputStream out)
      implements Server.Connection {
    @Override
    public Frames open() {
      return new Frames(in, Channels.newChannel(out));
    }

    @Override
    public void close() {}
  }

  private static Optional<Frame> next(Frames answers) throws IOException {
    try {
      return answers.read(Frames.LENGTH_MAX, Frames.Room.BOUNDLESS);
    } catch (InterruptedException e) {
      throw new IOException(e);
    }
  }

  @Override
  public void run(byte[] data) throws IOException {
    // No room for guests: an input with the token must not open files.
    try (Connections connections =
            new Connections(new Connections.Limits(1, 0, Duration.ofHours(1)));
        Shortage shortage = new Shortage(HEAP, 1)) {
      Stranger stranger = new Stranger(new ByteArrayInputStream(data), new ByteArrayOutputStream());
      connections.enter(stranger);
      new Session(
              stranger, new Gate(TOKEN, false), connections, shortage, new OpenDatasets().lease())
          .run();
      assertThat(data.length - stranger.in().available()).isLessThanOrEqualTo(Frames.HELLO_MAX + 4);
      byte[] answered = stranger.out().toByteArray();
      assertThat(new String(answered, StandardCharsets.UTF_8)).doesNotContain(TOKEN);
      Frames answers = new Stranger(new ByteArrayInputStream(answered), stranger.out()).open();
      for (Optional<Frame> answer = next(answers); answer.isPresent(); answer = next(answers)) {
        assertThat(answer.get().kind()).isEqualTo(FrameKind.ERROR);
      }
    }
  }

  @Override
  public byte[] seed(Random random, Path folder) throws IOException {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    Frames frames = new Frames(new ByteArrayInputStream(new byte[0]), Channels.newChannel(out));
    FrameKind[] kinds = FrameKind.values();
    FrameKind first = random.nextInt(4) > 0 ? FrameKind.HELLO : kinds[random.nextInt(kinds.length)];
    frames.write(first, HELLOS[random.nextInt(HELLOS.length)]);
    frames.write(kinds[random.nextInt(kinds.length)], "{}");
    return out.toByteArray();
  }
}
