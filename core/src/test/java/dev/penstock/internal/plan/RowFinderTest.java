package dev.penstock.internal.plan;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.penstock.internal.filter.Condition;
import dev.penstock.internal.table.TableFile;
import dev.penstock.spi.format.RowSet;
import dev.penstock.split.FileSplit;
import dev.penstock.storage.Location;
import dev.penstock.testing.Seeded;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.function.LongFunction;
import java.util.stream.LongStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/// Orders asked forwards and backwards. That loaders deliver these rows, `RowsOfStepsTest` checks.
class RowFinderTest {
  private record Row(int source, Location file, long row) {}

  /// A dataset, and which of its rows match.
  private record Dataset(FilesInMemory files, @Nullable Matches matches) {
    static Dataset random(Random random) throws IOException {
      FilesInMemory files = FilesInMemory.random(random);
      return new Dataset(files, random.nextBoolean() ? null : matches(files, random));
    }

    private static Matches matches(FilesInMemory files, Random random) {
      List<RowRun> runs = new ArrayList<>();
      List<Optional<RowSet>> found = new ArrayList<>();
      for (TableFile file : files.table().files()) {
        long rows = file.info().rows();
        RowSet some = new RowSet(0);
        for (long row = 0; row < rows; row++) {
          if (random.nextInt(3) > 0 || (runs.isEmpty() && row == 0)) {
            some.addRange(row, row + 1);
          }
        }
        some.addRange(rows, rows);
        some.finish();
        if (rows > 0) {
          runs.add(new RowRun(0, file, 0, rows, Condition.always(), 0));
          found.add(Optional.of(some));
        }
      }
      return new Matches(runs, found);
    }

    Sequence sequence(int source) {
      List<FileSplit> splits = files.table().infos().stream().map(FileSplit::whole).toList();
      return Sequence.of(source, splits, files.table(), files.pruning()).byMatches(matches);
    }

    LongFunction<Sequence> global(int source, long seed) {
      Sequence inOrder = sequence(source).byMatches(null);
      return pass -> inOrder.global(matches, rows -> new KeyedPermutation(rows, seed, pass), 7);
    }
  }

  private final List<Dataset> sources = new ArrayList<>();

  private RowFinder finder(Random random) {
    return new RowFinder(random.nextLong(), 3, source -> sources.get(source).matches());
  }

  private Sequence any(Random random) throws IOException {
    sources.clear();
    boolean isMixed = random.nextBoolean();
    for (int i = 0; i < (isMixed ? 3 : 1); i++) {
      sources.add(Dataset.random(random));
    }
    boolean isGlobal = random.nextInt(3) == 0;
    Sequence rows = isMixed ? mixed(random, isGlobal) : alone(random, isGlobal);
    boolean isInWindows = !isGlobal && random.nextBoolean();
    rows = isInWindows ? windowed(rows, random) : rows;
    if (random.nextBoolean()) { // dealt anew
      long from = random.nextLong(rows.rows() + 1);
      Sequence rest = rows.slice(from, rows.rows()).then(rows.slice(0, from / 2));
      rows = isInWindows || isGlobal ? rest : windowed(rest, random);
    }
    return rows;
  }

  private Sequence windowed(Sequence rows, Random random) {
    return rows.windowed(1 + random.nextInt(30)).byMatches(sources.getFirst().matches());
  }

  private Sequence alone(Random random, boolean isGlobal) {
    return isGlobal
        ? sources.getFirst().global(0, random.nextLong()).apply(random.nextInt(3))
        : sources.getFirst().sequence(0);
  }

  private Sequence mixed(Random random, boolean isGlobal) {
    List<Mixing.Source> mixed = new ArrayList<>();
    List<Double> weights = new ArrayList<>();
    for (int source = 0; source < sources.size(); source++) {
      Dataset each = sources.get(source);
      Sequence inOrder = each.sequence(source);
      LongFunction<Sequence> passes =
          isGlobal ? each.global(source, random.nextLong()) : _ -> inOrder;
      mixed.add(new Mixing.Source(inOrder.rows(), 10, each.matches(), passes));
      weights.add(1.0 + random.nextInt(3));
    }
    Mix mix = new Mix(List.of(new Mix.Stage(0, weights)), Mix.Ending.REPEAT);
    Mixing mixing = Mixing.of(mix, mixed, random.nextLong(), random.nextInt(3));
    return isGlobal ? Sequence.global(mixing, 7) : Sequence.of(mixing);
  }

  private static List<Row> rows(RowFinder finder, Sequence sequence) {
    List<Row> rows = new ArrayList<>();
    finder.rows(sequence, (source, file, row) -> rows.add(new Row(source, file.location(), row)));
    return rows;
  }

  @Seeded(runs = 1000)
  void placesAreThoseAtWhichRowsAre(Random random) throws IOException {
    Sequence sequence = any(random);
    RowFinder finder = finder(random);
    List<Row> all = rows(finder, sequence);
    assertThat(all).hasSize((int) sequence.rows());
    long from = random.nextLong(all.size() + 1);
    long to = from + random.nextLong(all.size() - from + 1);
    assertThat(rows(finder, sequence.slice(from, to))).isEqualTo(all.subList((int) from, (int) to));
    List<Row> distinct = new ArrayList<>(new HashSet<>(all));
    Collections.shuffle(distinct, random);
    Set<Row> wanted = new HashSet<>(distinct.subList(0, random.nextInt(distinct.size() + 1)));
    ChosenRows.Builder chosen = new ChosenRows.Builder();
    wanted.forEach(row -> chosen.add(row.source(), row.file(), row.row()));
    chosen.add(0, new Location("/lake/none"), 5).add(0, new Location("/lake/0"), 1_000_000);
    assertThat(finder.places(sequence, chosen.build()))
        .containsExactly(
            LongStream.range(0, all.size())
                .filter(place -> wanted.contains(all.get((int) place)))
                .toArray());
  }

  @Seeded(runs = 500)
  void someRowsOfWindowsAreThoseOfAllWindows(Random random) throws IOException {
    sources.clear();
    boolean isMixed = random.nextBoolean();
    for (int i = 0; i < (isMixed ? 3 : 1); i++) {
      Dataset any = Dataset.random(random);
      sources.add(isMixed ? any : new Dataset(any.files(), null));
    }
    Sequence once = isMixed ? mixed(random, false) : alone(random, false);
    long cut = random.nextLong(once.rows() + 1);
    Sequence all = once.slice(cut, once.rows()).then(once.slice(0, cut)).then(once);
    int rows = 1 + random.nextInt(30);
    long from = random.nextLong(all.rows());
    long to = from + 1 + random.nextLong(all.rows() - from);
    RowFinder finder = finder(random);
    assertThat(rows(finder, all.windowed(rows, from, to)))
        .isEqualTo(rows(finder, all.windowed(rows)).subList((int) from, (int) to));
  }

  @Test
  void whatACompositionMakesHasNoRowsOfItsOwn() throws IOException {
    FilesInMemory files = FilesInMemory.of(new int[] {10});
    Sequence composed = files.sequence().inFixedWindows(4, false, false, 1);
    RowFinder finder = new RowFinder(1, 0, _ -> null);
    assertThatThrownBy(() -> finder.rows(composed, (_, _, _) -> {}))
        .isInstanceOf(IllegalStateException.class)
        .hasMessageStartingWith("Only reading tells which rows are in ");
  }
}
