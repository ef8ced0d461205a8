package dev.penstock.internal.deliver;

import static org.assertj.core.api.Assertions.assertThat;

import dev.penstock.testing.Seeded;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

class FirstFailureTest {
  private static FirstFailure at(int run, int group, long position) {
    return new FirstFailure(
        run, group, position, new IllegalStateException(position + "/" + group));
  }

  @Test
  void nothingHasFailedAtFirst() {
    assertThat(FirstFailure.NONE.isThere()).isFalse();
    assertThat(FirstFailure.NONE.wants(0, 0)).isTrue();
    assertThat(FirstFailure.NONE.wants(3, Long.MAX_VALUE - 1)).isTrue();
  }

  @Test
  void rowsBehindAreNotWantedAndOfTheRowOnlyGroupsBefore() {
    FirstFailure failure = FirstFailure.NONE.or(at(2, 1, 100));
    assertThat(failure.isThere()).isTrue();
    assertThat(failure.wants(3, 99)).isTrue();
    assertThat(failure.wants(0, 100)).isTrue();
    assertThat(failure.wants(1, 100)).isFalse();
    assertThat(failure.wants(0, 101)).isFalse();
  }

  /// In whatever order workers fail, the first row counts, of it the first group, and of runs the
  /// first that failed before a better one was known.
  @Seeded(runs = 200)
  void theFirstCountsInWhateverOrderTheyCome(Random random) {
    List<FirstFailure> all = new ArrayList<>();
    for (int i = 0; i < 6; i++) {
      int position = random.nextInt(4);
      all.add(at(position, random.nextInt(3), position));
    }
    FirstFailure least =
        Collections.min(
            all,
            Comparator.comparingLong(FirstFailure::position).thenComparingInt(FirstFailure::group));
    Collections.shuffle(all, random);
    FirstFailure found = FirstFailure.NONE;
    for (FirstFailure each : all) {
      found = found.or(each);
    }
    assertThat(found.position()).isEqualTo(least.position());
    assertThat(found.group()).isEqualTo(least.group());
    assertThat(found.run()).isEqualTo(least.run());
    assertThat(found.cause()).hasMessage(least.position() + "/" + least.group());
  }
}
