package dev.penstock.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.penstock.DataLoader;
import dev.penstock.StructuredDataset;
import dev.penstock.cli.output.Progress;
import dev.penstock.cli.output.Terminal;
import dev.penstock.compose.Composition;
import dev.penstock.split.Rank;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class PassProgressTest {
  private static final String SHOWN = "rank 0/2, count what is made of each window    0 %";

  /// What is shown; notes when that is a pass.
  private static final class Screen extends ByteArrayOutputStream {
    private final CountDownLatch shown = new CountDownLatch(1);

    @Override
    public synchronized void write(byte[] bytes, int offset, int length) {
      super.write(bytes, offset, length);
      if (toString(StandardCharsets.UTF_8).contains(SHOWN)) {
        shown.countDown();
      }
    }
  }

  @Test
  void countingIsShownWhileTheEpochIsBegun(@TempDir Path folder) throws IOException {
    Path file = Files.writeString(folder.resolve("a.jsonl"), "{\"tokens\": [1, 2, 3]}\n".repeat(9));
    Screen screen = new Screen();
    Terminal terminal =
        new Terminal(
            OutputStream.nullOutputStream(),
            new PrintStream(screen, true, StandardCharsets.UTF_8),
            0,
            100);
    try (Progress progress = new Progress(terminal, true);
        DataLoader loader =
            DataLoader.of(
                new StructuredDataset(file.toString()),
                o ->
                    o.rank(new Rank(0, 2))
                        .workers(1)
                        .transform((block, _) -> {
                          if (block.rowCount() > 0) {
                            screen.shown.await(1, TimeUnit.MINUTES); // then the test fails
                          }
                          return block;
                        })
                        .compose(Composition.packs("tokens", 4)))) {
      try (PassProgress _ = new PassProgress(loader, "rank 0/2, ", progress)) {
        loader.iterator().close();
      }
      assertThat(screen.toString(StandardCharsets.UTF_8)).contains(SHOWN);
    }
  }
}
