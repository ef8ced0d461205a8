package dev.penstock.split;

import dev.penstock.internal.choice.Sentence;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/// This process among the training processes.
///
/// [Ranks#fromEnvironment()] finds the rank that a launcher has set.
///
/// @param index which one, in `[0, count)`
/// @param count how many there are, in `[1, COUNT_MAX]`
public record Rank(int index, int count) {
  /// The only process there is.
  public static final Rank SINGLE = new Rank(0, 1);

  /// The maximum number of ranks.
  public static final int COUNT_MAX = 1 << 20;

  private static final Pattern TEXT = Pattern.compile("([0-9]{1,9})/([0-9]{1,9})");

  /// Throws [IllegalArgumentException] if `count` is not in `[1, COUNT_MAX]` or `index` is not in
  /// `[0, count)`.
  public Rank {
    if (count < 1) {
      throw new IllegalArgumentException(
          "The number of ranks must be 1 or more, got "
              + count
              + "; a process on its own is rank 0 of 1.");
    }
    if (count > COUNT_MAX) {
      throw new IllegalArgumentException(
          "The number of ranks must be " + COUNT_MAX + " or less, got " + count + ".");
    }
    if (index < 0 || index >= count) {
      throw new IllegalArgumentException(
          "A rank must be in [0, " + count + "), got " + index + "; ranks are counted from 0.");
    }
  }

  /// {@return [#SINGLE], rank 0 of 1}
  public static Rank single() {
    return SINGLE;
  }

  /// {@return the rank of a text form}
  ///
  /// @param text index and count, for example `3/8`
  /// @throws IllegalArgumentException if the text has another form or does not name a rank
  public static Rank parse(String text) {
    Matcher matcher = TEXT.matcher(text);
    if (!matcher.matches()) {
      throw new IllegalArgumentException(
          "Cannot read '" + text + "' as a rank: expected index/count, such as '3/8'.");
    }
    return new Rank(Integer.parseInt(matcher.group(1)), Integer.parseInt(matcher.group(2)));
  }

  /// {@return the rank whose rows this process reads when neighbours see the same data: the group's
  /// index among the groups}
  ///
  /// If several processes share one copy of the model, as in tensor parallelism, they need the same
  /// batches: they are one rank to the loader. Groups consist of neighbours: group `g` has the
  /// ranks in `[g * groupSize, (g + 1) * groupSize)`. With 8 processes and groups of 4, ranks 0 to
  /// 3 all become `0/2` and ranks 4 to 7 all become `1/2`:
  ///
  /// ```
  /// new Rank(5, 8).replicatedBy(4)  ->  1/2
  /// ```
  ///
  /// @param groupSize how many processes see the same data, 1 or more; 1 changes nothing
  /// @throws IllegalArgumentException if `groupSize` is below 1 or does not divide the count
  public Rank replicatedBy(int groupSize) {
    if (groupSize < 1) {
      throw new IllegalArgumentException(
          "A group of ranks must have 1 or more, got " + groupSize + ".");
    }
    if (count % groupSize != 0) {
      throw new IllegalArgumentException(
          Sentence.of(
              "Cannot make groups of %s from %s ranks: the size of a group must divide the number"
                  + " of ranks.",
              groupSize, count));
    }
    return new Rank(index / groupSize, count / groupSize);
  }

  /// {@return the text form: index and count, for example `3/8`}
  @Override
  public String toString() {
    return index + "/" + count;
  }
}
