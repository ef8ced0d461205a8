package dev.penstock.internal.plan;

import static org.assertj.core.api.Assertions.assertThat;

import dev.penstock.internal.filter.Condition;
import dev.penstock.internal.table.TableFile;
import dev.penstock.spi.format.RowSet;
import dev.penstock.testing.Seeded;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.stream.LongStream;

/// Which rows match, held against lists of rows.
class MatchesTest {
  @Seeded(runs = 100)
  void allMatchesOfAFileAreThoseOfItsRuns(Random random) throws IOException {
    int size = 1 + random.nextInt(20_000);
    TableFile file = FilesInMemory.of(new int[] {size}).table().files().getFirst();
    List<RowRun> runs = new ArrayList<>();
    List<Optional<RowSet>> found = new ArrayList<>();
    List<Long> expected = new ArrayList<>();
    for (long first = random.nextInt(9); first < size; first += random.nextInt(2) * 100L) {
      long end = Math.min(size, first + 1 + random.nextInt(9000));
      runs.add(new RowRun(0, file, first, end - first, Condition.always(), 0));
      Optional<RowSet> some =
          random.nextInt(4) == 0 ? Optional.empty() : Optional.of(some(random, first, end));
      found.add(some);
      some.map(rows -> LongStream.range(0, rows.count()).map(rows::row))
          .orElse(LongStream.range(first, end))
          .forEach(expected::add);
      first = end;
    }
    Matches matches = new Matches(runs, found);

    RowSet all = matches.of(file);

    assertThat(rows(all)).isEqualTo(expected);
    assertThat(all.before(size)).isEqualTo(matches.rows());
    long first = random.nextInt(size);
    long end = first + random.nextLong(size - first + 1);
    RowSet part = new RowSet(first);
    Matches.add(Optional.of(all), first, end, part);
    part.finish();
    assertThat(rows(part)).isEqualTo(expected.stream().filter(r -> r >= first && r < end).toList());
    assertThat(part.between(first, end, new int[(int) (end - first) + RowSet.ROOM]))
        .isEqualTo((int) part.count());
  }

  private static RowSet some(Random random, long first, long end) {
    int of = random.nextInt(40);
    RowSet rows = new RowSet(first);
    for (long row = first; row < end; row++) {
      if (of > 0 && random.nextInt(of) == 0) {
        rows.addRange(row, row + 1);
      }
    }
    rows.finish();
    return rows;
  }

  private static List<Long> rows(RowSet set) {
    return LongStream.range(0, set.count()).mapToObj(set::row).toList();
  }
}
