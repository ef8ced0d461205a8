package dev.penstock.split;

import java.util.Map;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Finds the [Rank] of this process in the variables that its launcher has set, and logs its
/// source.
///
/// Sources, in this order:
///
/// | Launcher | Variables |
/// |---|---|
/// | none: set by hand | `PENSTOCK_RANK`, `PENSTOCK_WORLD_SIZE` |
/// | torchrun, Accelerate, DeepSpeed | `RANK`, `WORLD_SIZE` |
/// | Horovod | `HOROVOD_RANK`, `HOROVOD_SIZE` |
/// | Open MPI | `OMPI_COMM_WORLD_RANK`, `OMPI_COMM_WORLD_SIZE` |
/// | PMI: MPICH, Intel MPI | `PMI_RANK`, `PMI_SIZE` |
/// | SLURM, in a step (`SLURM_STEP_ID`) | `SLURM_PROCID`, `SLURM_STEP_NUM_TASKS` or `SLURM_NTASKS` |
/// | PMIx | `PMIX_RANK` |
/// | Kubernetes indexed job | `JOB_COMPLETION_INDEX` |
///
/// The last two set no count: it comes from another source, else from `PENSTOCK_WORLD_SIZE`, else
/// from `WORLD_SIZE`. All sources that are set must agree, except for one that started this
/// process's launchers, one per node, and so counts launchers. Without any source the process is
/// the only one.
///
/// A process that takes another's rank, or a wrong count, trains on the wrong rows unnoticed. So
/// these are errors: a source with only one of its variables, a value that is not a number or out
/// of range, and two sources that disagree. Three counts are ignored if they stand alone:
/// `WORLD_SIZE`, which scripts set for other purposes, and SLURM's two, which batch scripts have.
///
/// **Threads.** Safe for any; it has no state.
public final class Ranks {
  private static final Logger LOG = LoggerFactory.getLogger(Ranks.class);

  private Ranks() {}

  /// {@return the rank from the environment of this process; [Rank#SINGLE] if no launcher has set
  /// one}
  ///
  /// @throws IllegalArgumentException if the variables are incomplete or wrong, or disagree
  public static Rank fromEnvironment() {
    return fromEnvironment(System.getenv());
  }

  /// {@return the rank from an environment; [Rank#SINGLE] if no launcher has set one}
  ///
  /// @param environment the variables
  /// @throws IllegalArgumentException if the variables are incomplete or wrong, or disagree
  public static Rank fromEnvironment(Map<String, String> environment) {
    RankSearch search = RankSearch.in(environment);
    if (search.rank().count() == 1) {
      LOG.debug(search.sentence()); // most programs run alone
    } else {
      LOG.info(search.sentence());
    }
    return search.rank();
  }

  /// {@return a rank that the user gave, as it is} It takes precedence over the environment; a
  /// difference is logged, not an error.
  ///
  /// @param rank the rank
  /// @param environment the variables
  public static Rank given(Rank rank, Map<String, String> environment) {
    LOG.info(RankSearch.given(rank, environment));
    return rank;
  }
}
