package dev.penstock.internal.compose;

import dev.penstock.advice.Advice;
import dev.penstock.advice.Remedy;
import dev.penstock.compose.WeightedDraws;
import dev.penstock.internal.plan.FixedWindows;
import dev.penstock.internal.plan.Sequence;
import dev.penstock.internal.plan.Uniform;
import dev.penstock.internal.plan.WindowCounts;
import dev.penstock.internal.plan.WindowRun;
import java.io.IOException;
import java.util.List;

/// The windows of a composition, in the order of their numbers, and how much is made of each.
///
/// Immutable; share it freely among threads.
public record ComposedWindows(Sequence windows, Made made) {
  /// The number of the draws that deal an epoch's samples to windows.
  private static final long DEALT = Long.MAX_VALUE;

  /// How much is made of each window.
  public interface Made {
    /// Returns how many rows or batches are made of each window in an epoch, counted from 0.
    WindowCounts counts(long seed, long epoch);
  }

  /// Returns the windows to deliver, of the `windows` that were read and what was counted of them.
  ///
  /// @throws IOException if no row has a weight
  public static ComposedWindows of(
      Composing composing, Sequence rows, Sequence windows, CountedWindows counted)
      throws IOException {
    return switch (counted) {
      case CountedWindows.OfGroups(List<FixedWindows.Start> starts, List<Long> counts) -> {
        Sequence cut = rows.inWindowsFrom(starts, windows.isShuffled());
        Fixed made = new Fixed(counts.stream().mapToLong(Long::longValue).toArray());
        yield new ComposedWindows(cut, (_, _) -> made);
      }
      case CountedWindows.Noted(WindowFacts facts) ->
          new ComposedWindows(
              windows,
              composing.how() instanceof WeightedDraws draws
                  ? dealt(draws, windows, facts)
                  : (seed, epoch) -> new Noted(facts, seed, epoch));
    };
  }

  /// Returns windows of which as many rows are made as they have.
  public static ComposedWindows ofRows(Sequence windows) {
    long[] rows = windows.runs().stream().mapToLong(run -> ((WindowRun) run).rowsInAll()).toArray();
    Fixed made = new Fixed(rows);
    return new ComposedWindows(windows, (_, _) -> made);
  }

  private static Made dealt(WeightedDraws draws, Sequence windows, WindowFacts facts)
      throws IOException {
    double[] weights = new double[windows.runs().size()];
    long rows = 0;
    double sum = 0;
    for (int window = 0; window < weights.length; window++) {
      if (facts.of(window) instanceof WindowFact.Weights(double weight, int number)) {
        weights[window] = weight;
        sum += weight;
        rows += number;
      }
    }
    ComposedDraws.requireFinite(draws, sum);
    if (sum == 0) {
      throw new IOException(
          rows == 0
              ? "Cannot draw rows: there is none to draw from. Choose other files, or a filter that"
                  + " keeps some."
              : "Cannot draw rows: all weights in '" + draws.column() + "' are 0.");
    }
    long samples = draws.numSamples().orElse(rows);
    return (seed, epoch) ->
        new Fixed(ComposedDraws.counts(weights, samples, new Uniform(seed, epoch, DEALT)));
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
  private record Noted(WindowFacts facts, long seed, long epoch) implements WindowCounts {
    @Override
    public long made(long window) {
      return switch (facts.of(window)) {
        case WindowFact.Rows(int rows) -> rows;
        case WindowFact.Batches(List<Integer> sizes) -> sizes.size();
        case null, default -> 0;
      };
    }

    @Override
    public long madeOf(long window, long rows) {
      if (!(facts.of(window) instanceof WindowFact.Batches(List<Integer> sizes))) {
        return rows;
      }
      int[] order = new WindowNumber(seed, epoch, window).batches(sizes.size());
      long left = rows;
      int batches = 0;
      while (left > 0 && batches < order.length) {
        left -= sizes.get(order[batches++]);
      }
      if (left != 0) {
        throw Advice.argumentError("%s", notBetweenBatches(rows));
      }
      return batches;
    }
  }

  /// Returns what is wrong with a state that is behind some rows of a batch.
  public static Advice notBetweenBatches(long rows) {
    return Advice.of(
        "Cannot resume: the state is behind %s rows of a window, where no batch ends. Give what %s"
            + " wrote.",
        rows, Remedy.STATE);
  }
}
