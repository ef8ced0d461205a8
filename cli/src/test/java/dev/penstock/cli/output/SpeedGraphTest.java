package dev.penstock.cli.output;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;

class SpeedGraphTest {
  private final SpeedGraph graph = new SpeedGraph();

  @Test
  void highestBarIsTheFastest() {
    graph.add(100, 1);
    assertThat(graph).hasToString("");
    graph.add(150, 2);
    graph.add(150, 3);
    graph.add(250, 4);
    assertThat(graph).hasToString("█▅▁█");
  }

  @Test
  void onlyTheLastMomentsAreShown() {
    for (int i = 1; i <= 40; i++) {
      graph.add(i, i);
    }
    assertThat(graph.toString()).hasSize(12);
  }

  @Test
  void nextEpochBeginsAnew() {
    graph.add(100, 1);
    graph.add(200, 2);
    graph.add(10, 1);
    assertThat(graph).hasToString("");
  }

  @Test
  void standsBehindTheSpeed() {
    graph.add(1, 1);
    graph.add(2, 2);
    Step step = new Step("epoch 1", "row", 0, 5, 10, 2, List.of("3 k rows/s", "waiting 5 %"));
    assertThat(step.with(graph).bar(120, 0)).contains("3 k rows/s ██, waiting 5 %");
  }
}
