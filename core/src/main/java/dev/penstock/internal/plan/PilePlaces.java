package dev.penstock.internal.plan;

import dev.penstock.internal.table.TableFile;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/// The places of a dataset in a [RowPlaces], cut into piles: the first pass puts each row on the
/// pile that has its place, the second puts the rows of one pile after another in order.
///
/// So each pass reads and writes large parts, where rows by number would be read from everywhere.
/// After A. Aggarwal and J. S. Vitter 1988, "The Input/Output Complexity of Sorting and Related
/// Problems".
///
/// **Threads.** Any.
public final class PilePlaces {
  private final TablePlaces order;
  private final long[] firsts; // the first place of each pile, rising
  private final int[] counts; // its places

  /// Some rows as they go to piles.
  ///
  /// @param places where each row comes when they are sorted by pile; those of no pile come last
  /// @param ends for each pile, where its rows end among the sorted ones
  @SuppressWarnings("ArrayRecordComponent") // never compared
  public record Sorted(int[] places, int[] ends, int[] inPile) {}

  private PilePlaces(TablePlaces order, long[] firsts, int[] counts) {
    this.order = order;
    this.firsts = firsts;
    this.counts = counts;
  }

  /// Makes a pile for each run. Rows of places that no run has go to none.
  ///
  /// @param runs runs of a global order that is not a mixture's, at least one
  public static PilePlaces of(List<Run> runs) {
    List<WindowOrder.Placed> all = new ArrayList<>();
    for (Run run : runs) {
      all.add((WindowOrder.Placed) ((WindowRun) run).order());
    }
    all.sort((one, other) -> Long.compare(one.firstPlace(), other.firstPlace()));
    return new PilePlaces(
        (TablePlaces) all.getFirst().places(),
        all.stream().mapToLong(WindowOrder.Placed::firstPlace).toArray(),
        all.stream().mapToInt(each -> Math.toIntExact(each.rows())).toArray());
  }

  /// Returns how many piles there are, at least 1.
  public int count() {
    return firsts.length;
  }

  /// Returns how many rows a pile gets, at least 1.
  public int rows(int pile) {
    return counts[pile];
  }

  public long rows() {
    return Arrays.stream(counts).asLongStream().sum();
  }

  /// Returns the number of the pile that has a place of the epoch; -1 if none has.
  public int pileOf(long place) {
    // Nearly always right: all piles but the last of a part have as many places.
    int guess = (int) Math.clamp((place - firsts[0]) / counts[0], 0, firsts.length - 1L);
    if (isIn(guess, place)) {
      return guess;
    }
    int found = Arrays.binarySearch(firsts, place);
    int last = found < 0 ? -found - 2 : found;
    return last >= 0 && isIn(last, place) ? last : -1;
  }

  private boolean isIn(int pile, long place) {
    return place >= firsts[pile] && place - firsts[pile] < counts[pile];
  }

  /// Cuts all rows, in file order, into windows for the first pass, about as large as a pile.
  public List<Run> windows() {
    return order.windows();
  }

  /// Returns one of the files, all of which have the same cache.
  public TableFile file() {
    return order.groups().getFirst().file();
  }

  /// Sorts rows by pile; within one they keep their order.
  public Sorted sort(long firstNumber, int count) {
    int none = firsts.length;
    int[] piles = new int[count];
    int[] inPile = new int[count]; // of the rows as they are
    int[] next = new int[none + 2];
    long[] all = order.places(firstNumber, count);
    for (int row = 0; row < count; row++) {
      long place = all[row];
      int pile = pileOf(place);
      piles[row] = pile < 0 ? none : pile;
      inPile[row] = pile < 0 ? 0 : (int) (place - firsts[pile]);
      next[piles[row] + 1]++;
    }
    for (int pile = 0; pile <= none; pile++) {
      next[pile + 1] += next[pile];
    }
    int[] places = new int[count];
    int[] sorted = new int[count];
    for (int row = 0; row < count; row++) {
      places[row] = next[piles[row]]++;
      sorted[places[row]] = inPile[row];
    }
    return new Sorted(places, Arrays.copyOf(next, none), sorted);
  }
}
