package dev.penstock.split;

import java.util.Map;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Finds the [Rank] of this process in what its launcher has set, and logs where it is from.
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
/// The last two tell no count: it is another source's, or else `PENSTOCK_WORLD_SIZE`, or else
/// `WORLD_SIZE`. All sources that are there must agree, except for one that started the launchers
/// of this process, one per node, and so counts these. Without a source the process is alone.
///
/// A process that takes another's rank, or the wrong count, trains on the wrong rows and nobody
/// notices. So a source with one of its variables, a value that is no number or out of range, and
/// two sources that disagree are errors. Three counts mean nothing alone and are passed over:
/// `WORLD_SIZE`, which scripts set for other purposes, and SLURM's, which batch scripts have.
///
/// **Threads.** Any; nothing is kept.
public final class Ranks {
  private static final Logger LOG = LoggerFactory.getLogger(Ranks.class);

  private Ranks() {}

  /// Returns the rank by the environment of this process.
  ///
  /// @return the rank, [Rank#SINGLE] if no launcher has set one
  /// @throws IllegalArgumentException if the variables are incomplete or wrong, or disagree
  public static Rank fromEnvironment() {
    return fromEnvironment(System.getenv());
  }

  /// Returns the rank by an environment.
  ///
  /// @param environment the variables
  /// @return the rank, [Rank#SINGLE] if no launcher has set one
  /// @throws IllegalArgumentException if the variables are incomplete or wrong, or disagree
  public static Rank fromEnvironment(Map<String, String> environment) {
    RankSearch search = RankSearch.in(environment);
    if (search.rank().count() == 1) {
      LOG.debug(search.sentence()); // nothing to tell most programs
    } else {
      LOG.info(search.sentence());
    }
    return search.rank();
  }

  /// Returns a rank that the user gave: it holds whatever the environment says. A difference is
  /// logged, not an error.
  ///
  /// @param rank the rank
  /// @param environment the variables
  /// @return `rank`
  public static Rank given(Rank rank, Map<String, String> environment) {
    LOG.info(RankSearch.given(rank, environment));
    return rank;
  }
}
