package dev.penstock.serve;

import dev.penstock.internal.document.JsonFields;
import dev.penstock.internal.document.JsonTree;
import dev.penstock.serve.Frames.Frame;
import java.io.IOException;
import java.io.InputStream;
import java.net.Socket;
import java.net.UnixDomainSocketAddress;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.Channels;
import java.nio.channels.SocketChannel;
import java.nio.channels.WritableByteChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/// A client as simple as can be.
final class Client implements AutoCloseable {
  private final AutoCloseable connection;
  private final WritableByteChannel out;
  private final InputStream in;
  final Frames frames;

  /// A batch as it came.
  ///
  /// @param memory what followed the frame; empty if it is in shared memory
  record Received(
      long id, int rows, String state, long start, List<Long> pairs, ByteBuffer memory) {}

  Client(Path socket) throws IOException {
    this(SocketChannel.open(UnixDomainSocketAddress.of(socket)));
  }

  private Client(SocketChannel channel) {
    this.connection = channel;
    this.in = Channels.newInputStream(channel);
    this.out = channel;
    this.frames = new Frames(in, out);
  }

  Client(Socket socket) throws IOException {
    this.connection = socket;
    this.in = socket.getInputStream();
    this.out = Channels.newChannel(socket.getOutputStream());
    this.frames = new Frames(in, out);
  }

  Client greet(String token) throws IOException {
    frames.write(FrameKind.HELLO, "{\"protocol\": 1, \"token\": \"" + token + "\"}");
    return this;
  }

  /// Sends bytes that need not be a frame.
  void send(byte[] bytes) throws IOException {
    out.write(ByteBuffer.wrap(bytes));
  }

  /// Waits for a frame, or for the end of the connection.
  Optional<Frame> next() throws IOException {
    try {
      return frames.read(Frames.LENGTH_MAX, Frames.Room.BOUNDLESS);
    } catch (InterruptedException e) {
      throw new IOException(e);
    }
  }

  Frame read() throws IOException {
    return next().orElseThrow(() -> new IOException("closed"));
  }

  /// Waits for a frame of a kind; an error is thrown.
  Frame expect(FrameKind kind) throws IOException {
    Frame frame = read();
    if (frame.kind() != kind) {
      throw new IllegalStateException(frame.kind() + " " + frame.text());
    }
    return frame;
  }

  JsonFields json(FrameKind kind) throws IOException {
    return JsonTree.read("an answer", expect(kind).text());
  }

  void open(String request) throws IOException {
    frames.write(FrameKind.OPEN, request);
    expect(FrameKind.OPENED);
  }

  void begin(int number, int credits, String more) throws IOException {
    frames.write(
        FrameKind.BEGIN, "{\"number\": " + number + ", \"credits\": " + credits + more + "}");
  }

  void more(int credits, long... ids) throws IOException {
    ByteBuffer frame = Frames.begin(FrameKind.MORE, 4 + 8 * ids.length).putInt(credits);
    for (long id : ids) {
      frame.putLong(id);
    }
    frames.gather(Frames.finish(frame));
    frames.flush();
  }

  Received batch(Frame frame) throws IOException {
    ByteBuffer in = frame.contents();
    long id = in.getLong();
    in.getInt();
    int rows = in.getInt();
    byte[] state = new byte[in.getInt()];
    int pairs = in.getInt();
    long start = in.getLong();
    long span = in.getLong();
    List<Long> numbers = new ArrayList<>();
    for (int i = 0; i < 2 * pairs; i++) {
      numbers.add(in.getLong());
    }
    in.get(state);
    byte[] memory = start < 0 ? this.in.readNBytes((int) span) : new byte[0];
    return new Received(
        id,
        rows,
        new String(state, StandardCharsets.UTF_8),
        start,
        numbers,
        ByteBuffer.wrap(memory).order(ByteOrder.LITTLE_ENDIAN));
  }

  /// Reads an epoch to its end, giving a credit for each batch.
  List<Received> epoch() throws IOException {
    List<Received> batches = new ArrayList<>();
    Frame frame = read();
    while (frame.kind() != FrameKind.END) {
      switch (frame.kind()) {
        case COLUMNS -> {
          // The tests know them.
        }
        case BATCH -> {
          batches.add(batch(frame));
          more(1);
        }
        default -> throw new IllegalStateException(frame.kind() + " " + frame.text());
      }
      frame = read();
    }
    return batches;
  }

  @Override
  public void close() throws IOException {
    try {
      connection.close();
    } catch (IOException e) {
      throw e;
    } catch (Exception e) {
      throw new IOException(e);
    }
  }
}
