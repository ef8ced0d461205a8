package dev.penstock.internal.plan;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.penstock.testing.Seeded;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

/// The rows of an epoch in order, held against lists of rows.
class SequenceTest {
  @Seeded(runs = 200)
  void aSliceHasTheRowsOfTheSlice(Random random) throws IOException {
    Sequence sequence = FilesInMemory.random(random).sequence();
    List<String> all = FilesInMemory.rows(sequence);
    assertThat(sequence.rows()).isEqualTo(all.size());
    int from = random.nextInt(all.size() + 1);
    int to = from + random.nextInt(all.size() - from + 1);
    Sequence slice = sequence.slice(from, to);
    assertThat(FilesInMemory.rows(slice)).isEqualTo(all.subList(from, to));
    int further = random.nextInt(to - from + 1);
    assertThat(FilesInMemory.rows(slice.from(new Position(further, 0), 65_536)))
        .isEqualTo(all.subList(from + further, to));
  }

  @Seeded(runs = 100)
  void piecesPutTogetherAreTheWhole(Random random) throws IOException {
    Sequence sequence = FilesInMemory.random(random).sequence();
    Sequence whole = sequence.slice(0, 0);
    for (long from = 0; from < sequence.rows(); ) {
      long to = Math.min(sequence.rows(), from + 1 + random.nextInt(10));
      whole = whole.then(sequence.slice(from, to));
      from = to;
    }
    assertThat(FilesInMemory.rows(whole)).isEqualTo(FilesInMemory.rows(sequence));
    assertThat(whole.rows()).isEqualTo(sequence.rows());
  }

  /// A window has the rows that were in its place; a slice of a window stays within it.
  @Seeded(runs = 100)
  void windowsHaveNeighbouringRows(Random random) throws IOException {
    Sequence sequence = FilesInMemory.random(random).sequence();
    int rows = 1 + random.nextInt(30);
    List<Run> windows = sequence.windowed(rows).runs();
    List<String> all = FilesInMemory.rows(sequence);
    List<String> read = new ArrayList<>();
    for (int i = 0; i < windows.size(); i++) {
      Run window = windows.get(i);
      boolean isLast = i == windows.size() - 1;
      assertThat(window.rowCount()).isEqualTo(isLast ? all.size() - (long) rows * i : rows);
      read.addAll(
          FilesInMemory.rows(sequence.slice((long) rows * i, (long) rows * i + window.rowCount())));
    }
    assertThat(read).isEqualTo(all);
    assertThat(FilesInMemory.rows(sequence.windowed(rows))).isEqualTo(all);
    assertThat(sequence.windowed(rows).windowed(rows + 1).runs()).hasSameSizeAs(windows);
  }

  /// Row groups of few rows are read together, files never are.
  @Test
  void runsEndAtTheEdgesOfLargeRowGroups() throws IOException {
    Sequence small = FilesInMemory.of(new int[] {10, 0, 5}, new int[] {7}).sequence();
    assertThat(small.slice(3, 20).runs().stream().map(Run::rowCount)).containsExactly(12L, 5L);
    Sequence large = FilesInMemory.of(new int[] {100_000, 80_000}).sequence();
    assertThat(large.slice(1, 170_000).runs().stream().map(Run::rowCount))
        .containsExactly(99_999L, 70_000L);
    assertThatThrownBy(() -> small.slice(3, 23)).hasMessage("Rows [3, 23) of a sequence of 22");
  }
}
