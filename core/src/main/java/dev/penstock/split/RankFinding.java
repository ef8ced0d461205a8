package dev.penstock.split;

import java.util.Map;
import java.util.OptionalInt;

/// What one source tells of the rank.
///
/// @param source who tells
/// @param index the rank
/// @param count how many there are, empty if the source does not tell
/// @param text the variables as they are, and who sets them
record RankFinding(RankSource source, int index, OptionalInt count, String text) {
  /// Whether both tell the same, as far as they tell.
  boolean agreesWith(RankFinding other) {
    return index == other.index
        && (count.isEmpty() || other.count.isEmpty() || count.equals(other.count));
  }

  /// Whether this source did not start the process but the launcher that did, one for each node:
  /// then it counts launchers, and rightly tells other numbers than `inner`.
  ///
  /// Accepted where the variables show it, because else two sources contradict each other:
  ///
  /// - torchrun (and with it Accelerate) and DeepSpeed tell how many of them there are.
  /// - `mpirun` and its like start a daemon per node by a SLURM step of one task per node, whose
  ///   variables the daemon's processes inherit. On one node it may be a step of its own.
  boolean startedTheLauncherOf(RankFinding inner, Map<String, String> environment) {
    return switch (inner.source) {
      case TORCH ->
          startedAsMany("GROUP_WORLD_SIZE", environment)
              || startedAsMany("CROSS_SIZE", environment);
      case HOROVOD, OPEN_MPI, PMI ->
          source == RankSource.SLURM
              && count.orElseThrow() < inner.count.orElseThrow()
              && startedAsMany("SLURM_STEP_NUM_NODES", environment);
      default -> false;
    };
  }

  private boolean startedAsMany(String key, Map<String, String> environment) {
    if (!environment.containsKey(key)) {
      return false;
    }
    int launchers = RankSource.number(environment, key, 1);
    return index < launchers && count.orElse(launchers) == launchers;
  }
}
