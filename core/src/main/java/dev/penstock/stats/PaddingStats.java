package dev.penstock.stats;

/// How much a [dev.penstock.compose.Composition] pads, over the windows that were read.
///
/// @param elements the elements of all lists that are delivered
/// @param padded the elements of all batches, if each list is padded to the longest of its batch,
///   or each pack to its length
/// @param before the same without the composition: rows cut into batches in the order in which they
///   are read, or each list in a row of the length of a pack
/// @param dropped lists that were left out because they are too long
public record PaddingStats(long elements, long padded, long before, long dropped) {
  /// Nothing was padded.
  public static final PaddingStats NONE = new PaddingStats(0, 0, 0, 0);

  /// {@return both together}
  ///
  /// @param other the others
  public PaddingStats plus(PaddingStats other) {
    return new PaddingStats(
        elements + other.elements,
        padded + other.padded,
        before + other.before,
        dropped + other.dropped);
  }

  /// {@return which share of the delivered elements is padding, in `[0, 1]`; 0 where nothing is
  /// padded}
  public double share() {
    return share(padded);
  }

  /// {@return which share would be padding without the composition, in `[0, 1]`}
  public double shareBefore() {
    return share(before);
  }

  private double share(long all) {
    return all == 0 ? 0 : 1 - (double) elements / all;
  }
}
