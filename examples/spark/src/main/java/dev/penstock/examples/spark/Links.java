package dev.penstock.examples.spark;

import dev.penstock.examples.RankLink;
import dev.penstock.split.Rank;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.time.Duration;
import org.apache.spark.BarrierTaskContext;
import org.jspecify.annotations.Nullable;

/// Connects the ranks of a barrier stage: Spark tells them where rank 0 listens.
final class Links {
  private static final int BACKLOG = 50;
  private static final Duration PATIENCE = Duration.ofMinutes(1);

  private Links() {}

  static RankLink connect(Rank rank) throws IOException, InterruptedException {
    BarrierTaskContext spark = BarrierTaskContext.get();
    String first = spark.getTaskInfos()[0].address(); // HOST:PORT of its executor
    String host = first.substring(0, first.lastIndexOf(':'));
    try (ServerSocket server = rank.index() == 0 ? listen(host) : null) {
      String[] ports = spark.allGather(server == null ? "" : String.valueOf(server.getLocalPort()));
      return server == null
          ? RankLink.join(rank, new InetSocketAddress(host, Integer.parseInt(ports[0])), PATIENCE)
          : RankLink.accept(rank.count(), server, PATIENCE);
    }
  }

  private static @Nullable ServerSocket listen(String host) throws IOException {
    return new ServerSocket(0, BACKLOG, InetAddress.getByName(host));
  }
}
