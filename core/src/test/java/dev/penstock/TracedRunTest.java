package dev.penstock;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import dev.penstock.compose.Composition;
import dev.penstock.filter.Filter;
import dev.penstock.options.LoaderOptions;
import dev.penstock.split.Rank;
import dev.penstock.split.Shuffle;
import dev.penstock.steps.StepRow;
import dev.penstock.steps.Steps;
import dev.penstock.testing.MemoryStorage;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// What an epoch that is run again says of steps, held against what was delivered.
class TracedRunTest {
  @TempDir Path folder;

  @Test
  void withoutAPassItIsAnErrorThatNamesIt() throws IOException {
    TracedCase.write(folder.resolve("a.parquet"), new long[] {1, 2, 3}, 10);
    RowsOfSteps asked =
        RowsOfSteps.of(
            new StructuredDataset(folder.toString()),
            LoaderOptions.defaults().compose(Composition.packs("tokens", 4)),
            0);
    String message =
        "Cannot tell the rows of steps without a pass over the data: what a composition or a"
            + " transform makes of rows is known only when it has made it. Allow it with"
            + " RowsOfSteps.pass(true).";
    assertThatIllegalStateException()
        .isThrownBy(() -> asked.rows(Steps.of(0)))
        .withMessage(message);
    assertThatIllegalStateException()
        .isThrownBy(() -> asked.find(Filter.parse("id = 1")))
        .withMessage(message);
  }

  @Test
  void onlyTheWindowsOfStepsAreReadWhereTheyAreCounted() throws IOException {
    Path file = folder.resolve("a.parquet");
    TracedCase.write(file, LongStream.range(0, 20_000).toArray(), 500);
    MemoryStorage.Site site = MemoryStorage.site().put("a.parquet", Files.readAllBytes(file));
    site.advice(1, 0, 1 << 20, Optional.empty());
    try (TracedRun run =
        new TracedRun(
            new StructuredDataset(site.location()),
            LoaderOptions.defaults()
                .batchSize(100)
                .workers(1)
                .countMatches(true)
                .shuffle(Shuffle.window(500).interleave(1))
                .compose(Composition.packs("tokens", 32)),
            Rank.SINGLE,
            0,
            null,
            false)) {
      List<StepRow> counted = run.rows(Steps.of(0), OptionalInt.empty(), _ -> true).take();
      long before = bytes(site);
      List<StepRow> later = run.rows(Steps.of(20), OptionalInt.empty(), _ -> true).take();
      assertThat(counted).isNotEmpty();
      assertThat(later).isNotEmpty();
      assertThat(bytes(site) - before).isBetween(1L, before / 10);
    } finally {
      site.remove();
    }
  }

  private static long bytes(MemoryStorage.Site site) {
    return site.requests().stream().mapToLong(request -> request.range().length()).sum();
  }
}
