package dev.penstock.split;

import java.util.Map;
import java.util.OptionalInt;

/// The rank according to one source.
///
/// @param count the number of ranks; empty if the source does not give it
/// @param text the variables with their values, and the launcher that sets them
record RankFinding(RankSource source, int index, OptionalInt count, String text) {
  /// Returns whether both agree in all that they give.
  boolean agreesWith(RankFinding other) {
    return index == other.index
        && (count.isEmpty() || other.count.isEmpty() || count.equals(other.count));
  }

  /// Returns whether this source did not start the process itself but its launchers, one per node.
  /// Its numbers then count launchers, and rightly differ from `inner`.
  ///
  /// The variables must show it; otherwise the two sources contradict each other:
  ///
  /// - torchrun (also below Accelerate) and DeepSpeed set the number of launchers.
  /// - `mpirun` and similar start a daemon per node with a SLURM step of one task per node, and the
  ///   daemon's processes inherit the step's variables. On one node it may be a separate step.
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
