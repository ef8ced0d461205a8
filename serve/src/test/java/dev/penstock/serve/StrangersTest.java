package dev.penstock.serve;

import static org.assertj.core.api.Assertions.assertThat;

import dev.penstock.serve.Server.TlsFiles;
import dev.penstock.serve.ServerJvm.Figures;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Queue;
import java.util.Random;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.SSLSession;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/// Strangers without a token at a server's port, beside two clients that read on.
///
/// `-Dpenstock.strangers=100000` lets as many come.
@Tag("outer")
class StrangersTest {
  private static final int STRANGERS = Integer.getInteger("penstock.strangers", 600);
  private static final String TOKEN = "a token of the tests";

  /// What the server may have: each stranger is a descriptor and a thread.
  private static final int FILES = 300;

  private static final int HEAP_MB = 64;

  /// The first byte of a record of a handshake.
  private static final byte HANDSHAKE = 22;

  /// Threads that play strangers, and how many connections each keeps open.
  private static final int PLAYERS = 4;

  private static final int OPEN = 30;

  /// A flood is as long as the server lets it be, up to this.
  private static final int FLOOD_BYTES = 256 << 10;

  /// Source addresses, as one has too few ports.
  private static final int ADDRESSES = 200;

  private static final boolean HAS_ADDRESSES = System.getProperty("os.name").equals("Linux");

  @TempDir Path folder;

  @SuppressWarnings("NullAway.Init") // by the test
  private SSLContext trusting;

  @SuppressWarnings("NullAway.Init")
  private ServerJvm server;

  private enum Kind {
    IDLE,
    SLOW,
    GARBAGE,
    HALF_A_HANDSHAKE,
    RESET,
    FLOOD
  }

  private Client client() throws IOException {
    Client client =
        new Client(
            trusting
                .getSocketFactory()
                .createSocket(InetAddress.getLoopbackAddress(), server.port()));
    client.greet(TOKEN).expect(FrameKind.WELCOME);
    return client;
  }

  @Test
  @SuppressWarnings("SystemOut")
  @Timeout(3600)
  void clientsLoseNothing() throws Exception {
    TlsFiles files = TestTls.files(folder);
    trusting = TestTls.trusting(files.chain());
    Path rows = RowReader.write(folder.resolve("rows.csv"));
    Figures most;
    try (ServerJvm started =
        new ServerJvm(
            FILES,
            List.of("-Xmx" + HEAP_MB + "m", "-XX:TieredStopAtLevel=1"),
            TOKEN,
            Optional.of(files))) {
      server = started;
      try (RowReader first = new RowReader(client(), rows);
          RowReader second = new RowReader(client(), rows)) {
        first.awaitEpoch();
        long start = System.nanoTime();
        most = play();
        System.out.printf(
            Locale.ROOT,
            "%d strangers in %d ms: at most %d threads, %d descriptors, %d MB of heap with garbage;"
                + " the clients read %d and %d epochs%n",
            STRANGERS,
            (System.nanoTime() - start) / 1_000_000,
            most.threads(),
            most.descriptors(),
            most.heap() >> 20,
            first.epochs(),
            second.epochs());
        first.awaitEpoch();
        second.awaitEpoch();
      }
      try (RowReader late = new RowReader(client(), rows)) {
        late.awaitEpoch();
      }
      assertThat(started.isAlive()).isTrue();
    }
    assertThat(most.descriptors()).isLessThan(FILES);
    assertThat(most.threads()).isLessThan(FILES);
  }

  private Figures play() throws Exception {
    Figures most = server.figures();
    try (ExecutorService players = Executors.newFixedThreadPool(PLAYERS)) {
      List<Future<?>> playing = new ArrayList<>();
      for (int i = 0; i < PLAYERS; i++) {
        Random random = new Random(i);
        playing.add(players.submit(() -> strangers(random, STRANGERS / PLAYERS)));
      }
      for (Future<?> player : playing) {
        while (!player.isDone()) {
          most = most.most(server.figures());
        }
        player.get();
      }
    }
    return most.most(server.figures());
  }

  private void strangers(Random random, int count) {
    Queue<Socket> open = new ArrayDeque<>();
    try {
      for (int i = 0; i < count; i++) {
        Kind kind = Kind.values()[i % Kind.values().length];
        Socket stranger = connect(random);
        open.add(stranger);
        act(kind, stranger, random);
        if (kind == Kind.RESET) {
          open.remove(stranger);
          leave(stranger, true);
        }
        for (Socket each : open) { // slow ones go on
          write(each, (byte) 1);
        }
        if (open.size() > OPEN) {
          leave(open.remove(), random.nextBoolean());
        }
      }
      while (!open.isEmpty()) {
        leave(open.remove(), true);
      }
    } catch (IOException | GeneralSecurityException e) {
      throw new UncheckedIOException(new IOException(e));
    }
  }

  private Socket connect(Random random) throws IOException {
    Socket socket = new Socket();
    if (HAS_ADDRESSES) {
      byte[] source = {127, 0, 0, (byte) (2 + random.nextInt(ADDRESSES))};
      socket.bind(new InetSocketAddress(InetAddress.getByAddress(source), 0));
    }
    socket.connect(new InetSocketAddress(InetAddress.getLoopbackAddress(), server.port()));
    return socket;
  }

  private void act(Kind kind, Socket socket, Random random)
      throws IOException, GeneralSecurityException {
    switch (kind) {
      case IDLE, RESET -> {
        // says nothing
      }
      case SLOW -> write(socket, HANDSHAKE);
      case GARBAGE -> {
        byte[] bytes = new byte[1 + random.nextInt(1000)];
        random.nextBytes(bytes);
        write(socket, bytes);
      }
      case HALF_A_HANDSHAKE -> write(socket, clientHello());
      case FLOOD -> {
        write(socket, clientHello());
        byte[] piece = new byte[16 << 10];
        int sent = 0;
        while (sent < FLOOD_BYTES && write(socket, piece)) {
          sent += piece.length;
        }
      }
    }
  }

  /// Returns the first message of a handshake.
  private byte[] clientHello() {
    try {
      SSLEngine engine = trusting.createSSLEngine();
      engine.setUseClientMode(true);
      SSLSession session = engine.getSession();
      ByteBuffer hello = ByteBuffer.allocate(session.getPacketBufferSize());
      engine.wrap(ByteBuffer.allocate(0), hello);
      byte[] bytes = new byte[hello.flip().remaining()];
      hello.get(bytes);
      return bytes;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /// Sends bytes, if the server still takes them.
  private static boolean write(Socket socket, byte... bytes) {
    try {
      socket.getOutputStream().write(bytes);
      return true;
    } catch (IOException e) {
      return false;
    }
  }

  private static void leave(Socket socket, boolean isRude) throws IOException {
    if (isRude) {
      try {
        socket.setSoLinger(true, 0);
      } catch (IOException e) {
        // It is closed already.
      }
    }
    socket.close();
  }
}
