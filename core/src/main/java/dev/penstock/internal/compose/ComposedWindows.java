package dev.penstock.internal.compose;

import dev.penstock.compose.Groups;
import dev.penstock.compose.SlidingWindows;
import dev.penstock.compose.WeightedDraws;
import dev.penstock.internal.compose.Composed.Extent;
import dev.penstock.internal.plan.Sequence;
import dev.penstock.internal.plan.Uniform;
import dev.penstock.internal.plan.WindowCounts;
import java.io.IOException;

/// The windows of a composition, and how much is made of each.
///
/// Immutable; share it freely among threads.
///
/// @param windows all windows, in the order of their numbers
/// @param made how much is made of them in an epoch
public record ComposedWindows(Sequence windows, Made made) {
  /// The number of the draws that deal an epoch's samples to windows.
  private static final long DEALT = Long.MAX_VALUE;

  /// How much is made of each window.
  public interface Made {
    /// Returns it for an epoch.
    ///
    /// @param seed the seed
    /// @param epoch the epoch, counted from 0
    /// @return rows or batches
    WindowCounts counts(long seed, long epoch);
  }

  /// Joins what was found out about windows.
  ///
  /// @param composing the composition
  /// @param rows the rows of all windows
  /// @param windows the windows that were read
  /// @param facts what was noted of them
  /// @return the windows to deliver
  /// @throws IOException if a group is too large, or no row has a weight
  public static ComposedWindows of(
      Composing composing, Sequence rows, Sequence windows, WindowFacts facts) throws IOException {
    int count = windows.runs().size();
    return switch (composing.how()) {
      case Groups _, SlidingWindows _ -> {
        JoinedGroups groups = JoinedGroups.of(composing, windows, facts);
        Sequence cut = rows.inWindowsFrom(groups.starts(), windows.isShuffled());
        Fixed made = new Fixed(groups.made()); // without the keys
        yield new ComposedWindows(cut, (_, _) -> made);
      }
      case WeightedDraws draws -> {
        double[] weights = new double[count];
        long all = 0;
        double sum = 0;
        for (int window = 0; window < count; window++) {
          if (facts.of(window) instanceof Fact.Weights(double of, int number)) {
            weights[window] = of;
            sum += of;
            all += number;
          }
        }
        if (all > 0 && sum == 0) {
          throw new IOException("Cannot draw rows: all weights in '" + draws.column() + "' are 0.");
        }
        long draw = all == 0 ? 0 : draws.numSamples().orElse(all);
        yield new ComposedWindows(
            windows,
            (seed, epoch) ->
                new Fixed(DrawnRows.counts(weights, draw, new Uniform(seed, epoch, DEALT))));
      }
      default -> new ComposedWindows(windows, (_, _) -> new Noted(facts));
    };
  }

  /// The same in every epoch.
  @SuppressWarnings("ArrayRecordComponent") // nobody compares them
  private record Fixed(long[] counts) implements WindowCounts {
    @Override
    public long made(long window) {
      return counts[Math.toIntExact(window)];
    }

    @Override
    public long madeOf(long window, long rows) {
      if (rows > 0) { // it is always counted, so that no state says so
        throw new IllegalArgumentException(
            "Cannot resume: the state is behind "
                + rows
                + " rows of a window that are not counted.");
      }
      return 0;
    }
  }

  /// As a pass has noted it.
  private record Noted(WindowFacts facts) implements WindowCounts {
    private Extent extent(long window) {
      return facts.of(window) instanceof Fact.Made(Extent extent) ? extent : Extent.NONE;
    }

    @Override
    public long made(long window) {
      return extent(window).placeCount();
    }

    @Override
    public long madeOf(long window, long rows) {
      return extent(window).place(Math.toIntExact(rows));
    }
  }
}
