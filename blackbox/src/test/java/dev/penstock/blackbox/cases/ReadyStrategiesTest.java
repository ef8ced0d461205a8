package dev.penstock.blackbox.cases;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import dev.penstock.format.RowGroup;
import dev.penstock.split.ByteSize;
import dev.penstock.split.DataFileInfo;
import dev.penstock.split.FileSplit;
import dev.penstock.split.RoundRobinSplitStrategy;
import dev.penstock.split.RowRange;
import dev.penstock.split.Shuffle;
import dev.penstock.split.Split;
import dev.penstock.split.TargetSizeSplitStrategy;
import dev.penstock.storage.Location;
import dev.penstock.testing.Seeded;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/// The strategies that come with the loader, and the values they are made of.
class ReadyStrategiesTest {
  private static DataFileInfo file(String name, long[]... groups) {
    List<RowGroup> made = new ArrayList<>();
    for (long[] group : groups) {
      made.add(new RowGroup(group[0], group[1]));
    }
    return new DataFileInfo(new Location(name), 1000, made);
  }

  private static List<String> ranges(List<Split> splits) {
    return splits.stream()
        .flatMap(split -> split.fileSplits().stream())
        .map(FileSplit::toString)
        .sorted()
        .toList();
  }

  @Test
  void rowGroupsArePackedUpToTheTargetRows() {
    DataFileInfo file =
        file("f", new long[] {4, 1}, new long[] {4, 1}, new long[] {3, 1}, new long[] {20, 1});
    assertThat(ranges(TargetSizeSplitStrategy.ofRows(8).generate(List.of(file), 1, 0)))
        .containsExactly("f rows [0, 8)", "f rows [11, 31)", "f rows [8, 11)");
  }

  @Test
  void rowGroupsArePackedUpToTheTargetBytes() {
    DataFileInfo file =
        file("f", new long[] {10, 60}, new long[] {10, 40}, new long[] {10, 1}, new long[] {0, 0});
    assertThat(
            ranges(
                TargetSizeSplitStrategy.ofBytes(new ByteSize(100)).generate(List.of(file), 1, 0)))
        .containsExactly("f rows [0, 20)", "f rows [20, 30)");
  }

  @Test
  void splitsNeverSpanFiles() {
    List<DataFileInfo> files = List.of(file("a", new long[] {1, 1}), file("b", new long[] {1, 1}));
    assertThat(ranges(TargetSizeSplitStrategy.ofDefault().generate(files, 1, 0)))
        .containsExactly("a rows [0, 1)", "b rows [0, 1)");
  }

  @Seeded(runs = 50)
  void largestFirstDealingIsAtMostAThirdWorseThanTheBestPossible(Random random) {
    List<FileSplit> pieces = new ArrayList<>();
    DataFileInfo file = file("f");
    long total = 0;
    long longest = 0;
    for (int i = 0; i <= random.nextInt(30); i++) {
      long rows = 1L + random.nextInt(1000);
      pieces.add(FileSplit.of(file, total, rows));
      total += rows;
      longest = Math.max(longest, rows);
    }
    int readers = 1 + random.nextInt(6);
    List<Split> dealt = TargetSizeSplitStrategy.dealEvenly(pieces, readers);
    assertThat(dealt).hasSize(readers);
    assertThat(dealt.stream().flatMap(split -> split.fileSplits().stream()))
        .containsExactlyInAnyOrderElementsOf(pieces);
    // Graham's bound: no reader has more than an even share plus one piece.
    long most = dealt.stream().mapToLong(Split::rows).max().orElseThrow();
    assertThat(most).isLessThanOrEqualTo(total / readers + longest);
    for (Split split : dealt) {
      assertThat(split.fileSplits())
          .isSortedAccordingTo((a, b) -> Long.compare(a.firstRow(), b.firstRow()));
    }
  }

  @Test
  void loadIsBalancedLargestFirst() {
    DataFileInfo file = file("f");
    List<FileSplit> pieces =
        List.of(
            FileSplit.of(file, 0, 2),
            FileSplit.of(file, 2, 3),
            FileSplit.of(file, 5, 7),
            FileSplit.of(file, 12, 4));
    assertThat(TargetSizeSplitStrategy.dealEvenly(pieces, 2))
        .extracting(Split::rows)
        .containsExactly(9L, 7L);
  }

  @Test
  void roundRobinDealsWholeFilesInTurn() {
    List<DataFileInfo> files =
        List.of(
            file("a", new long[] {1, 1}),
            file("b", new long[] {1, 1}),
            file("c", new long[] {1, 1}));
    assertThat(new RoundRobinSplitStrategy().generate(files, 2, 0))
        .containsExactly(
            new Split(List.of(FileSplit.whole(files.get(0)), FileSplit.whole(files.get(2)))),
            new Split(List.of(FileSplit.whole(files.get(1)))));
  }

  @ParameterizedTest
  @CsvSource({
    "0, 0",
    "1, 1",
    "17B, 17",
    "128MiB, 134217728",
    "128 mib, 134217728",
    "1.5 KiB, 1536",
    "1KB, 1000",
    "2k, 2000",
    "3GB, 3000000000",
    "1TiB, 1099511627776"
  })
  void sizesAreReadInTheirUnits(String text, long bytes) {
    assertThat(ByteSize.parse(text).bytes()).isEqualTo(bytes);
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "MiB", "-1", "1 MiBs", "1e3", "12 parsecs", "1,5MB"})
  void textThatIsNoSizeIsRefused(String text) {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> ByteSize.parse(text))
        .withMessage(
            "Cannot read '%s' as a size: expected a number and a unit, such as '128MiB'."
                .formatted(text));
  }

  @Test
  void sizeBeyond63BitsIsRefused() {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> ByteSize.parse("99999999TiB"))
        .withMessage("Cannot use '99999999TiB' as a size: it exceeds 63 bits.");
  }

  @Test
  void splitOfNothingIsRefused() {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> TargetSizeSplitStrategy.ofRows(0))
        .withMessage("splitRows must be at least 1, got 0.");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> TargetSizeSplitStrategy.ofBytes(new ByteSize(0)))
        .withMessage("splitBytes must be at least 1, got 0 B.");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> new RowRange(3, 0))
        .withMessage("Row range length must be at least 1, got 0.");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> new RowRange(-1, 1))
        .withMessage("Row offset must not be negative, got -1.");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> new RowRange(Long.MAX_VALUE, 2))
        .withMessageContaining("63 bits");
  }

  @Test
  void shuffleIsReadFromItsName() {
    assertThat(Shuffle.parse("none")).isEqualTo(Shuffle.none());
    assertThat(Shuffle.parse("splits")).isEqualTo(Shuffle.splits());
    assertThat(Shuffle.parse("window:500")).isEqualTo(Shuffle.window(500));
    assertThat(Shuffle.parse("window:500:7")).isEqualTo(Shuffle.window(500).interleave(7));
    for (Shuffle each : List.of(Shuffle.window(9), Shuffle.window(9).interleave(2))) {
      assertThat(Shuffle.parse(each.toString())).isEqualTo(each);
    }
    for (Shuffle.Passes passes : Shuffle.Passes.values()) {
      for (Shuffle each :
          List.of(Shuffle.global().passes(passes), Shuffle.torch().passes(passes))) {
        assertThat(Shuffle.parse(each.toString())).isEqualTo(each);
      }
    }
    for (String wrong :
        List.of("rows", "window", "window:", "window:1:2:3", "window:many", "global:3")) {
      assertThatIllegalArgumentException()
          .isThrownBy(() -> Shuffle.parse(wrong))
          .withMessage(
              "Cannot shuffle by '"
                  + wrong
                  + "': expected 'none', 'splits', 'window:ROWS', 'global' or 'torch', the last two"
                  + " also with ':1' or ':2' passes.");
    }
    assertThatIllegalArgumentException()
        .isThrownBy(() -> Shuffle.parse("window:0"))
        .withMessageContaining("at least 1 row");
  }
}
