package dev.penstock.spi.format;

/// The numbers of the bits that are set.
public final class BitNumbers {
  /* Eight numbers are written for each word that has a bit, also where it has fewer; those too many
   * are overwritten by the next word's. A loop that ended with the word's last bit would be guessed
   * wrongly at almost every word: it took twice the time where a tenth of the bits is set. */

  /// So many numbers are written at once: as many may be overwritten behind the last one.
  public static final int STEP = 8;

  private BitNumbers() {}

  /// Writes the numbers of the bits of a word.
  ///
  /// @param bits the word
  /// @param base what the number of its lowest bit is
  /// @param numbers where they go, ascending
  /// @param at where the first goes; so many that are set and [#STEP] have room from there on
  /// @return where the next goes
  public static int write(long bits, int base, int[] numbers, int at) {
    long left = bits;
    int end = at + Long.bitCount(bits);
    for (int i = at; i < end; i += STEP) {
      left = eight(left, base, numbers, i);
    }
    return end;
  }

  /// Writes the numbers of the lowest eight bits that are set, and returns the others.
  private static long eight(long bits, int base, int[] numbers, int at) {
    long left = bits;
    for (int i = 0; i < STEP; i++) {
      numbers[at + i] = base + Long.numberOfTrailingZeros(left);
      left &= left - 1;
    }
    return left;
  }
}
