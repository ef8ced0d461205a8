package dev.penstock.steps;

import dev.penstock.internal.hash.XxHash64;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.List;

/// The steps of an epoch that a loader's consumer has received, where their digests are made, see
/// [dev.penstock.options.LoaderOptions#stepDigests(boolean)].
///
/// Immutable.
///
/// @param rank the loader's rank
/// @param world how many ranks there are
/// @param count how many steps
/// @param digest the digest of all of them: from 0 on, for each step in the order in which they
///   were received, the XXH64 of the one so far, the step's number and its digest, each 8 bytes,
///   little-endian
/// @param last the last ones, at most 10, in that order; unmodifiable
public record StepsReceived(int rank, int world, long count, long digest, List<StepDigest> last) {
  private static final int LAST_MAX = 10;

  /// Copies the list.
  public StepsReceived {
    last = List.copyOf(last);
  }

  /// Returns steps that a rank received.
  ///
  /// @param steps the steps, at least one
  /// @return what they come to
  public static StepsReceived of(List<StepDigest> steps) {
    StepDigest first = steps.getFirst();
    StepsReceived all = new StepsReceived(first.rank(), first.world(), 0, 0, List.of());
    for (StepDigest step : steps) {
      all = all.and(step);
    }
    return all;
  }

  /// Returns these and another.
  ///
  /// @param step the next one
  /// @return what they come to
  public StepsReceived and(StepDigest step) {
    ByteBuffer bytes = ByteBuffer.allocate(24).order(ByteOrder.LITTLE_ENDIAN);
    bytes.putLong(digest).putLong(step.step()).putLong(step.digest());
    StepDigest[] shown = new StepDigest[Math.min(last.size() + 1, LAST_MAX)];
    for (int i = 0; i < shown.length - 1; i++) {
      shown[i] = last.get(last.size() - shown.length + 1 + i);
    }
    shown[shown.length - 1] = step;
    return new StepsReceived(rank, world, count + 1, XxHash64.hash(bytes.array()), List.of(shown));
  }
}
