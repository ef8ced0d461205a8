package dev.penstock;

import static org.assertj.core.api.Assertions.assertThat;

import dev.penstock.testing.OtherJvm;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ChosenWorkersTest {
  @TempDir Path folder;

  @Test
  void numberOfWorkersChosenAutomaticallyIsLoggedOnceWithTheReason() throws Exception {
    Path file = folder.resolve("rows.csv");
    Path log = folder.resolve("log");
    Files.write(file, IntStream.range(0, 1000).mapToObj(i -> i == 0 ? "id" : "" + i).toList());
    assertThat(
            OtherJvm.read(
                List.of(
                    "-XX:ActiveProcessorCount=3",
                    "-Dorg.slf4j.simpleLogger.defaultLogLevel=info",
                    "-Dorg.slf4j.simpleLogger.logFile=" + log),
                file))
        .containsExactly("999 rows");
    assertThat(Files.readString(log))
        .containsOnlyOnce(
            "3 workers, chosen automatically: one for each processor that this process may use."
                + " Fewer of them decode while the consumer hardly waits.");
  }
}
