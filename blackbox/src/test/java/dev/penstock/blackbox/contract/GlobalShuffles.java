package dev.penstock.blackbox.contract;

import static org.assertj.core.api.Assertions.assertThat;

import dev.penstock.split.Shuffle;
import dev.penstock.split.Shuffle.Passes;
import java.util.List;
import java.util.Random;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/// Shuffles of all rows.
public final class GlobalShuffles {
  private static final Pattern ADVICE =
      Pattern.compile("\\. Use cache\\(folder, \"(\\w+)\"\\) or Shuffle\\.window\\(rows\\)\\.$");

  private GlobalShuffles() {}

  /// Chooses the order and how rows are put in it.
  public static Shuffle any(Random random) {
    return random.nextBoolean()
        ? Shuffle.global().passes(passes(random))
        : Shuffle.torch().passes(passes(random));
  }

  /// Returns the size of the cache that an error advises.
  public static String advisedSize(Throwable error) {
    Matcher advice = ADVICE.matcher(String.valueOf(error.getMessage()));
    assertThat(advice.find()).as("advice in %s", error.getMessage()).isTrue();
    return advice.group(1);
  }

  /// Chooses how rows are put in order.
  public static Passes passes(Random random) {
    return List.of(Passes.BY_SIZE, Passes.ONE, Passes.TWO).get(random.nextInt(3));
  }
}
