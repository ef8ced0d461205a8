package dev.penstock.internal.plan;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.penstock.internal.plan.Dealing.Leg;
import dev.penstock.split.RankEnd;
import dev.penstock.testing.Seeded;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.Test;

/// How rows are dealt to ranks, held against lists of rows.
class DealingTest {
  private static List<List<String>> shares(Dealing dealing, Sequence sequence) {
    List<List<String>> shares = new ArrayList<>();
    for (int rank = 0; rank < dealing.world(); rank++) {
      shares.add(FilesInMemory.rows(dealing.share(sequence, rank)));
    }
    return shares;
  }

  private static List<String> joined(List<List<String>> shares) {
    return shares.stream().flatMap(List::stream).toList();
  }

  @Seeded(runs = 100)
  void exactGivesEveryRowToOneRankInOrder(Random random) throws IOException {
    Sequence sequence = FilesInMemory.random(random).sequence();
    Dealing dealing = new Dealing(1 + random.nextInt(7), RankEnd.EXACT, false);
    List<List<String>> shares = shares(dealing, sequence);
    assertThat(joined(shares)).isEqualTo(FilesInMemory.rows(sequence));
    assertThat(shares)
        .allSatisfy(share ->
            assertThat((long) share.size())
                .isBetween(dealing.least(sequence.rows()), dealing.most(sequence.rows())));
    assertThat(dealing.most(sequence.rows()) - dealing.least(sequence.rows())).isBetween(0L, 1L);
  }

  @Seeded(runs = 100)
  void padGivesAllRanksTheSameNumberAndRepeatsFromTheFront(Random random) throws IOException {
    Sequence sequence = FilesInMemory.random(random).sequence();
    Dealing dealing = new Dealing(1 + random.nextInt(7), RankEnd.PAD, false);
    List<String> all = FilesInMemory.rows(sequence);
    List<String> expected = new ArrayList<>();
    long most = dealing.most(all.size());
    for (int i = 0; i < most * dealing.world(); i++) {
      expected.add(all.get(i % all.size()));
    }
    List<List<String>> shares = shares(dealing, sequence);
    assertThat(joined(shares)).isEqualTo(expected);
    assertThat(shares).allSatisfy(share -> assertThat(share).hasSize((int) most));
    assertThat(dealing.least(all.size())).isEqualTo(most);
  }

  @Seeded(runs = 100)
  void dropGivesAllRanksTheSameNumberAndLeavesOutTheEnd(Random random) throws IOException {
    Sequence sequence = FilesInMemory.random(random).sequence();
    Dealing dealing = new Dealing(1 + random.nextInt(7), RankEnd.DROP, false);
    List<String> all = FilesInMemory.rows(sequence);
    int each = all.size() / dealing.world();
    assertThat(joined(shares(dealing, sequence))).isEqualTo(all.subList(0, each * dealing.world()));
    assertThat(dealing.least(all.size())).isEqualTo(dealing.most(all.size())).isEqualTo(each);
  }

  /// What ranks had and what is left of them is all rows, whatever the rest is dealt to.
  @Seeded(runs = 200)
  void whatIsLeftIsDealtAnewWithoutLossOrRepetition(Random random) throws IOException {
    Sequence sequence = FilesInMemory.random(random).sequence();
    RankEnd end = random.nextBoolean() ? RankEnd.EXACT : RankEnd.DROP;
    Dealing first = new Dealing(1 + random.nextInt(5), end, false);
    List<String> delivered = new ArrayList<>();
    List<Position> positions = new ArrayList<>();
    for (int rank = 0; rank < first.world(); rank++) {
      Sequence share = first.share(sequence, rank);
      int had = random.nextInt((int) share.rows() + 1);
      positions.add(new Position(had, 0));
      delivered.addAll(FilesInMemory.rows(share.slice(0, had)));
    }
    Leg stage = new Leg(first, positions);
    Sequence left = stage.rest(sequence, UnaryOperator.identity(), 65_536);
    Dealing second = new Dealing(1 + random.nextInt(5), RankEnd.EXACT, false);
    delivered.addAll(joined(shares(second, left)));
    List<String> all = new ArrayList<>(FilesInMemory.rows(sequence));
    Collections.sort(all);
    Collections.sort(delivered);
    assertThat(delivered).isEqualTo(all);
  }

  @Test
  void ranksThatStoppedAtTheSamePlaceHaveOnePosition() {
    Dealing two = new Dealing(2, RankEnd.EXACT, false);
    Leg apart = new Leg(two, List.of(new Position(3, 0), new Position(3, 0)));
    assertThat(apart.reduced()).isEqualTo(new Leg(two, List.of(new Position(3, 0))));
    Leg others = new Leg(two, List.of(new Position(3, 0), new Position(4, 0)));
    assertThat(others.reduced()).isEqualTo(others);
    assertThat(others.text()).isEqualTo("2 ranks after rows [3, 4]");
    assertThatThrownBy(() -> new Leg(new Dealing(3, RankEnd.EXACT, false), others.positions()))
        .hasMessage("2 positions of 3 ranks");
  }
}
