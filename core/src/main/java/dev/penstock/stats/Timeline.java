package dev.penstock.stats;

import java.util.List;

/// What happened when in an epoch, as far as it was recorded, see
/// [dev.penstock.options.LoaderOptions#record(boolean)].
///
/// Its size is bounded: about 10,000 slices, 10,000 waits and 1,000 samples. In a longer epoch they
/// become coarser.
///
/// @param slices the slices, by worker and time
/// @param waits the waits, by worker and time
/// @param samples the numbers over time
public record Timeline(List<SliceSpan> slices, List<WaitSpan> waits, List<StatsSample> samples) {
  /// Nothing was recorded.
  public static final Timeline NONE = new Timeline(List.of(), List.of(), List.of());

  /// Copies the lists.
  public Timeline {
    slices = List.copyOf(slices);
    waits = List.copyOf(waits);
    samples = List.copyOf(samples);
  }

  /// {@return whether nothing was recorded}
  public boolean isEmpty() {
    return slices.isEmpty() && waits.isEmpty() && samples.isEmpty();
  }
}
