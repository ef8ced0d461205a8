package dev.penstock.spi.format;

/// Lists the numbers of the bits that are set.
public final class BitNumbers {
  /* Numbers are written in groups of eight, even if a word has fewer bits; the next word's numbers
   * overwrite the surplus. A loop that ends at the word's last bit is mispredicted at almost every
   * word: with a tenth of the bits set it took twice the time. */

  /// How many numbers are written at once. Up to this many elements after the last number may be
  /// overwritten.
  public static final int STEP = 8;

  private BitNumbers() {}

  /// Writes the numbers of the bits of a word.
  ///
  /// @param bits the word
  /// @param base the number of its lowest bit
  /// @param numbers the array to write to, ascending
  /// @param at the index of the first number; from there on, the array has room for the bits set
  ///   plus [#STEP]
  /// @return the index of the next number
  public static int write(long bits, int base, int[] numbers, int at) {
    long left = bits;
    int end = at + Long.bitCount(bits);
    for (int i = at; i < end; i += STEP) {
      left = eight(left, base, numbers, i);
    }
    return end;
  }

  /// Writes the numbers of the lowest eight bits that are set, and returns the remaining bits.
  private static long eight(long bits, int base, int[] numbers, int at) {
    long left = bits;
    for (int i = 0; i < STEP; i++) {
      numbers[at + i] = base + Long.numberOfTrailingZeros(left);
      left &= left - 1;
    }
    return left;
  }
}
