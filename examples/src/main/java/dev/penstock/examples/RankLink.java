package dev.penstock.examples;

import dev.penstock.split.Rank;
import java.io.BufferedInputStream;
import java.io.BufferedOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.net.ConnectException;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.UnknownHostException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/// Adds up arrays over all ranks, as training frameworks do with their gradients. The simplest way:
/// all send to rank 0, which sends back the sum.
///
/// **Order.** Rank 0 adds in the order of the ranks, so the sum is the same in every run.
public final class RankLink implements AutoCloseable {
  private static final int RETRY_MILLIS = 100;

  /// A machine that was cut off says nothing; a rank that does its step says something sooner.
  private static final int SILENCE_MILLIS = 120_000;

  private final boolean isFirst;
  private final List<Peer> peers; // of rank 0 the others by rank, of the others rank 0

  private RankLink(boolean isFirst, List<Peer> peers) {
    this.isFirst = isFirst;
    this.peers = peers;
  }

  private record Peer(int rank, Socket socket, DataInputStream in, DataOutputStream out) {
    static Peer of(int rank, Socket socket) throws IOException {
      socket.setTcpNoDelay(true);
      socket.setSoTimeout(SILENCE_MILLIS);
      return new Peer(
          rank,
          socket,
          new DataInputStream(new BufferedInputStream(socket.getInputStream())),
          new DataOutputStream(new BufferedOutputStream(socket.getOutputStream())));
    }
  }

  /// Connects the ranks at the address that launchers tell by `MASTER_ADDR` and `MASTER_PORT`.
  ///
  /// @param rank this one
  /// @param environment has these variables; without them 127.0.0.1 and 29500
  /// @param patience how long to wait for the other ranks
  /// @return the link
  /// @throws IOException if not all ranks are there by then
  /// @throws InterruptedException if the thread is interrupted while it waits for rank 0
  public static RankLink connect(Rank rank, Map<String, String> environment, Duration patience)
      throws IOException, InterruptedException {
    InetSocketAddress address =
        new InetSocketAddress(
            environment.getOrDefault("MASTER_ADDR", "127.0.0.1"),
            Integer.parseInt(environment.getOrDefault("MASTER_PORT", "29500")));
    if (rank.index() > 0) {
      return join(rank, address, patience);
    }
    if (rank.count() == 1) {
      return new RankLink(true, List.of());
    }
    try (ServerSocket server = new ServerSocket()) {
      server.bind(listening(address));
      return accept(rank.count(), server, patience);
    }
  }

  /// Connects rank 0 to the others.
  ///
  /// @param count how many ranks there are
  /// @param server where they reach it; the caller closes it
  /// @param patience how long to wait for them
  /// @return the link
  /// @throws IOException if not all ranks are there by then
  public static RankLink accept(int count, ServerSocket server, Duration patience)
      throws IOException {
    List<Peer> peers = new ArrayList<>();
    server.setSoTimeout(Math.toIntExact(patience.toMillis()));
    while (peers.size() < count - 1) {
      Peer peer = Peer.of(0, server.accept());
      int rank = peer.in.readInt();
      peers.add(new Peer(rank, peer.socket, peer.in, peer.out)); // the stream may hold more of it
    }
    peers.sort((one, other) -> Integer.compare(one.rank, other.rank));
    return new RankLink(true, peers);
  }

  /// Connects a rank to rank 0.
  ///
  /// @param rank this one, not 0
  /// @param first where rank 0 is reached
  /// @param patience how long to wait for it
  /// @return the link
  /// @throws IOException if it is not there by then
  /// @throws InterruptedException if the thread is interrupted while it waits
  public static RankLink join(Rank rank, InetSocketAddress first, Duration patience)
      throws IOException, InterruptedException {
    Peer peer = Peer.of(0, dial(first, patience));
    peer.out.writeInt(rank.index());
    peer.out.flush();
    return new RankLink(false, List.of(peer));
  }

  /// Listens beyond this machine only if others are told to come from there. A name may mean
  /// another address inside a container.
  private static InetSocketAddress listening(InetSocketAddress address) {
    boolean isLocal = !address.isUnresolved() && address.getAddress().isLoopbackAddress();
    return isLocal ? address : new InetSocketAddress(address.getPort());
  }

  /// Rank 0 may be there later, its name too.
  private static Socket dial(InetSocketAddress address, Duration patience)
      throws IOException, InterruptedException {
    for (long waited = 0; true; waited += RETRY_MILLIS) {
      Socket socket = new Socket();
      try {
        socket.connect(new InetSocketAddress(address.getHostString(), address.getPort()));
        return socket;
      } catch (ConnectException | UnknownHostException e) {
        socket.close();
        if (waited >= patience.toMillis()) {
          throw e;
        }
        Thread.sleep(RETRY_MILLIS);
      }
    }
  }

  /// Makes each element the sum of that element over all ranks. Waits for the slowest.
  ///
  /// @param values as long on all ranks
  /// @throws IOException if a rank has gone
  public void sum(double[] values) throws IOException {
    if (!isFirst) {
      send(values, peers.getFirst());
    }
    for (Peer peer : peers) {
      for (int i = 0; i < values.length; i++) {
        double value = peer.in.readDouble();
        values[i] = isFirst ? values[i] + value : value;
      }
    }
    if (isFirst) {
      for (Peer peer : peers) {
        send(values, peer);
      }
    }
  }

  private static void send(double[] values, Peer peer) throws IOException {
    for (double value : values) {
      peer.out.writeDouble(value);
    }
    peer.out.flush();
  }

  @Override
  public void close() throws IOException {
    for (Peer peer : peers) {
      peer.socket.close();
    }
  }
}
