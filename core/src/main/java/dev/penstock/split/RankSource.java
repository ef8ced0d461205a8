package dev.penstock.split;

import dev.penstock.internal.choice.Sentence;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import org.jspecify.annotations.Nullable;

/// The variables in which one kind of launcher gives a process its rank, in the order of
/// [Ranks#fromEnvironment()].
///
/// Launchers that set no count come last, so that another's count is known.
enum RankSource {
  PENSTOCK("Penstock's own", "PENSTOCK_RANK", "PENSTOCK_WORLD_SIZE"),
  TORCH("torchrun, Accelerate, DeepSpeed", "RANK", "WORLD_SIZE"),
  HOROVOD("Horovod", "HOROVOD_RANK", "HOROVOD_SIZE"),
  OPEN_MPI("Open MPI", "OMPI_COMM_WORLD_RANK", "OMPI_COMM_WORLD_SIZE"),
  PMI("PMI", "PMI_RANK", "PMI_SIZE"),
  SLURM("SLURM", "SLURM_PROCID", "SLURM_STEP_NUM_TASKS", "SLURM_NTASKS"),
  PMIX("PMIx", "PMIX_RANK"),
  KUBERNETES("Kubernetes indexed job", "JOB_COMPLETION_INDEX");

  /// SLURM steps with higher numbers are not started by `srun`: they are the batch script, the
  /// shell of `salloc` and similar.
  private static final long LAST_ORDINARY_STEP = 0xffff_fff0L;

  private final String launcher;
  private final String indexKey;

  @SuppressWarnings("ImmutableEnumChecker") // made by List.of
  private final List<String> countKeys;

  RankSource(String launcher, String indexKey, String... countKeys) {
    this.launcher = launcher;
    this.indexKey = indexKey;
    this.countKeys = List.of(countKeys);
  }

  String indexKey() {
    return indexKey;
  }

  /// Returns whether the launcher sets the number of ranks.
  boolean counts() {
    return !countKeys.isEmpty();
  }

  /// Reads the launcher's variables.
  ///
  /// A count without an index gives no rank: for [#PENSTOCK] and [#TORCH] it may belong to a
  /// launcher that sets none, and [#SLURM] sets it outside of steps too.
  ///
  /// @throws IllegalArgumentException if a variable is missing or not a number
  Optional<Finding> read(Map<String, String> environment) {
    if (this == SLURM && !inStep(environment)) {
      return Optional.empty();
    }
    Optional<String> countKey = countKeys.stream().filter(environment::containsKey).findFirst();
    if (!environment.containsKey(indexKey)) {
      if (countKey.isPresent() && this != PENSTOCK && this != TORCH && this != SLURM) {
        throw missing(countKey.get(), indexKey, environment);
      }
      return Optional.empty();
    }
    if (counts() && countKey.isEmpty()) {
      throw missing(indexKey, countKeys.getLast(), environment);
    }
    return Optional.of(
        countKey
            .map(key -> finding(key, environment))
            .orElseGet(() ->
                new Finding(
                    this,
                    number(environment, indexKey, 0),
                    OptionalInt.empty(),
                    indexKey + "=" + environment.get(indexKey) + " (" + launcher + ")")));
  }

  /// Returns the launcher's index with the count from a variable, its own or another launcher's.
  Finding finding(String countKey, Map<String, String> environment) {
    int index = number(environment, indexKey, 0);
    int count = number(environment, countKey, 1);
    String text = indexKey + "=" + index + " and " + countKey + "=" + count + " (" + launcher + ")";
    if (index >= count) {
      throw new IllegalArgumentException(
          Sentence.of(
              "Cannot find the rank: by %s it is not in [0, %s). Ranks are counted from 0; correct"
                  + " the variables, or give the rank to the loader.",
              text, count));
    }
    return new Finding(this, index, OptionalInt.of(count), text);
  }

  /// Returns the error for an incomplete source.
  IllegalArgumentException missing(String present, String absent, Map<String, String> environment) {
    return new IllegalArgumentException(
        Sentence.of(
            "Cannot find the rank: %s=%s (%s) is set but %s is not. Set it, or unset %s, or give"
                + " the rank to the loader.",
            present, environment.get(present), launcher, absent, present));
  }

  /// Reads a number that a launcher wrote.
  static int number(Map<String, String> environment, String key, int least) {
    String text = environment.get(key);
    if (isNumber(text) && Long.parseLong(text) >= least && Long.parseLong(text) <= 999_999_999) {
      return Integer.parseInt(text);
    }
    throw new IllegalArgumentException(
        Sentence.of(
            "Cannot find the rank: %s='%s' but must be a whole number of %s or more. Correct or"
                + " unset it, or give the rank to the loader.",
            key, text, least));
  }

  private static boolean isNumber(@Nullable String text) {
    return text != null && text.matches("[0-9]{1,18}");
  }

  /// Returns whether this process is a task of a step. A batch script also has SLURM_PROCID and
  /// SLURM_NTASKS, but is not one of the tasks.
  private static boolean inStep(Map<String, String> environment) {
    String step = environment.get("SLURM_STEP_ID");
    return isNumber(step) && Long.parseLong(step) <= LAST_ORDINARY_STEP;
  }

  /// The rank according to one source.
  ///
  /// @param count the number of ranks; empty if the source does not give it
  /// @param text the variables with their values, and the launcher that sets them
  record Finding(RankSource source, int index, OptionalInt count, String text) {
    /// Returns whether both agree in all that they give.
    boolean agreesWith(Finding other) {
      return index == other.index
          && (count.isEmpty() || other.count.isEmpty() || count.equals(other.count));
    }

    /// Returns whether this source did not start the process itself but its launchers, one per
    /// node. Its numbers then count launchers, and rightly differ from `inner`.
    ///
    /// The variables must show it; otherwise the two sources contradict each other:
    ///
    /// - torchrun (also below Accelerate) and DeepSpeed set the number of launchers.
    /// - `mpirun` and similar start a daemon per node with a SLURM step of one task per node, and
    ///   the daemon's processes inherit the step's variables. On one node it may be a separate
    ///   step.
    boolean startedTheLauncherOf(Finding inner, Map<String, String> environment) {
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
}
