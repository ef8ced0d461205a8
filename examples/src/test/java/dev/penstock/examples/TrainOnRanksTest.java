package dev.penstock.examples;

import static org.assertj.core.api.Assertions.assertThat;

import dev.penstock.cli.demo.SampleFlights;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.Test;

class TrainOnRanksTest {
  private static final int ROWS = 225_000; // of the six files to train on

  private static String freePort() throws IOException {
    try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      return Integer.toString(socket.getLocalPort());
    }
  }

  /// As two processes would, each with its own environment. Always to answer with the base rate has
  /// a loss of 0.5010.
  @Test
  void ranksReadAllRowsInEqualStepsAndHaveOneModel() throws Exception {
    String port = freePort();
    List<TrainOnRanks.Report> reports = new ArrayList<>();
    try (SampleFlights flights = SampleFlights.extract();
        ExecutorService processes = Executors.newFixedThreadPool(2)) {
      List<Future<TrainOnRanks.Report>> ranks = new ArrayList<>();
      for (String rank : List.of("0", "1")) {
        Map<String, String> environment =
            Map.of("RANK", rank, "WORLD_SIZE", "2", "MASTER_PORT", port);
        ranks.add(
            processes.submit(() ->
                TrainOnRanks.train(
                    flights.trainingFolder(), flights.heldOutFolder(), 1, environment)));
      }
      for (Future<TrainOnRanks.Report> rank : ranks) {
        reports.add(rank.get());
      }
    }

    TrainOnRanks.Report first = reports.getFirst();
    TrainOnRanks.Report second = reports.getLast();
    assertThat(first.rows() + second.rows()).isEqualTo(ROWS);
    assertThat(first.steps()).isEqualTo(second.steps()).isEqualTo(Math.ceilDiv(ROWS / 2, 1024));
    assertThat(first.weights()).isEqualTo(second.weights());
    assertThat(first.logLoss()).isLessThan(0.495);
    assertThat(first.auc()).isBetween(0.60, 0.70);
  }
}
