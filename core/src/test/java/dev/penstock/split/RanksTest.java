package dev.penstock.split;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

/// Environments are written as a shell would: `RANK=3 WORLD_SIZE=8`.
class RanksTest {
  private static Map<String, String> environment(String text) {
    Map<String, String> environment = new LinkedHashMap<>();
    for (String variable : text.isEmpty() ? new String[0] : text.split(" +")) {
      String[] parts = variable.split("=", 2);
      environment.put(parts[0], parts[1]);
    }
    return environment;
  }

  private static String error(String environment) {
    IllegalArgumentException e =
        assertThrows(
            IllegalArgumentException.class, () -> Ranks.fromEnvironment(environment(environment)));
    return String.valueOf(e.getMessage());
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "PENSTOCK_RANK=3 PENSTOCK_WORLD_SIZE=8 | 3/8",
        "RANK=3 WORLD_SIZE=8 LOCAL_RANK=3 LOCAL_WORLD_SIZE=4 | 3/8",
        "HOROVOD_RANK=3 HOROVOD_SIZE=8 | 3/8",
        "OMPI_COMM_WORLD_RANK=3 OMPI_COMM_WORLD_SIZE=8 | 3/8",
        "PMI_RANK=3 PMI_SIZE=8 | 3/8",
        "PMIX_RANK=3 WORLD_SIZE=8 | 3/8",
        "PMIX_RANK=3 PENSTOCK_WORLD_SIZE=8 | 3/8",
        "SLURM_STEP_ID=0 SLURM_PROCID=3 SLURM_NTASKS=8 | 3/8",
        "SLURM_STEP_ID=2 SLURM_PROCID=3 SLURM_STEP_NUM_TASKS=8 | 3/8",
        "JOB_COMPLETION_INDEX=3 WORLD_SIZE=8 | 3/8",
        "JOB_COMPLETION_INDEX=3 PENSTOCK_WORLD_SIZE=8 | 3/8",
        "JOB_COMPLETION_INDEX=3 PENSTOCK_WORLD_SIZE=8 WORLD_SIZE=64 | 3/8"
      })
  void eachLaunchersVariablesAreRead(String environment, String rank) {
    assertThat(Ranks.fromEnvironment(environment(environment))).hasToString(rank);
  }

  /// The Python package has a search of its own, which `test_ranks.py` holds to the same cases.
  @ParameterizedTest
  @MethodSource
  void javaAndPythonFindTheSameRank(String environment, String expected) {
    String found;
    try {
      found = Ranks.fromEnvironment(environment(environment)).toString();
    } catch (IllegalArgumentException e) {
      found = String.valueOf(e.getMessage());
    }
    assertThat(found).isEqualTo(expected);
  }

  static List<Arguments> javaAndPythonFindTheSameRank() throws IOException {
    try (InputStream in =
        Objects.requireNonNull(RanksTest.class.getResourceAsStream("ranks.txt"))) {
      return new String(in.readAllBytes(), StandardCharsets.UTF_8)
          .lines()
          .filter(line -> line.contains("|"))
          .filter(line -> !line.startsWith("#"))
          .map(line -> line.split("\\|", 2))
          .map(parts -> Arguments.of(parts[0].strip(), parts[1].strip()))
          .toList();
    }
  }

  /// The step counts, not the job: `srun -n 2` in a job of 8 tasks.
  @Test
  void aStepMayHaveFewerTasksThanItsJob() {
    assertThat(
            Ranks.fromEnvironment(
                environment(
                    "SLURM_STEP_ID=0 SLURM_PROCID=1 SLURM_STEP_NUM_TASKS=2 SLURM_NTASKS=8")))
        .isEqualTo(new Rank(1, 2));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "'' | no variable",
        "PATH=/bin HOME=/root | others' variables",
        "WORLD_SIZE=8 | a count that scripts set",
        "SLURM_PROCID=0 SLURM_NTASKS=8 | a batch script",
        "SLURM_NTASKS=8 SLURM_JOB_ID=17 | the shell of salloc",
        "SLURM_STEP_ID=batch SLURM_PROCID=0 SLURM_NTASKS=8 | a batch script by its name",
        "SLURM_STEP_ID=4294967291 SLURM_PROCID=0 SLURM_NTASKS=8 | a batch script by its number",
        "SLURM_STEP_ID=4294967290 SLURM_PROCID=0 SLURM_STEP_NUM_TASKS=8 | an interactive step",
        "SLURM_STEP_ID=0 SLURM_NTASKS=8 | a step whose rank was unset"
      })
  void processWithoutALauncherIsAlone(String environment, String reason) {
    assertThat(Ranks.fromEnvironment(environment(environment))).as(reason).isEqualTo(Rank.SINGLE);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "PENSTOCK_RANK=3 WORLD_SIZE=8 | PENSTOCK_RANK | PENSTOCK_WORLD_SIZE",
        "PENSTOCK_WORLD_SIZE=3 | PENSTOCK_WORLD_SIZE | PENSTOCK_RANK",
        "PENSTOCK_WORLD_SIZE=3 RANK=3 WORLD_SIZE=8 | PENSTOCK_WORLD_SIZE | PENSTOCK_RANK",
        "RANK=3 | RANK | WORLD_SIZE",
        "HOROVOD_RANK=3 | HOROVOD_RANK | HOROVOD_SIZE",
        "HOROVOD_SIZE=3 | HOROVOD_SIZE | HOROVOD_RANK",
        "OMPI_COMM_WORLD_RANK=3 WORLD_SIZE=8 | OMPI_COMM_WORLD_RANK | OMPI_COMM_WORLD_SIZE",
        "OMPI_COMM_WORLD_SIZE=3 | OMPI_COMM_WORLD_SIZE | OMPI_COMM_WORLD_RANK",
        "PMI_RANK=3 | PMI_RANK | PMI_SIZE",
        "PMI_SIZE=3 | PMI_SIZE | PMI_RANK",
        "PMIX_RANK=3 | PMIX_RANK | PENSTOCK_WORLD_SIZE or WORLD_SIZE",
        "SLURM_STEP_ID=0 SLURM_PROCID=3 | SLURM_PROCID | SLURM_NTASKS",
        "JOB_COMPLETION_INDEX=3 | JOB_COMPLETION_INDEX | PENSTOCK_WORLD_SIZE or WORLD_SIZE"
      })
  void halfASourceIsRefused(String environment, String present, String absent) {
    assertThat(error(environment))
        .startsWith("Cannot find the rank: " + present + "=3 (")
        .endsWith(
            ") is set but "
                + absent
                + " is not. Set it, or unset "
                + present
                + ", or give the rank to the loader.");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "RANK=x WORLD_SIZE=8 | RANK='x' but must be a whole number of 0 or more.",
        "RANK= WORLD_SIZE=8 | RANK='' but must be a whole number of 0 or more.",
        "RANK=-1 WORLD_SIZE=8 | RANK='-1' but must be a whole number of 0 or more.",
        "RANK=٣ WORLD_SIZE=8 | RANK='٣' but must be a whole number of 0 or more.",
        "RANK=0 WORLD_SIZE=0 | WORLD_SIZE='0' but must be a whole number of 1 or more.",
        "RANK=0 WORLD_SIZE=8.0 | WORLD_SIZE='8.0' but must be a whole number of 1 or more.",
        "PMI_RANK=0 PMI_SIZE=4294967296 | PMI_SIZE='4294967296' but must be a whole number of 1",
        "PMIX_RANK=99999999999999999999 WORLD_SIZE=8 | PMIX_RANK='99999999999999999999' but must",
        "JOB_COMPLETION_INDEX=0 WORLD_SIZE=many | WORLD_SIZE='many' but must be a whole number",
        "SLURM_STEP_ID=0 SLURM_PROCID=1 SLURM_NTASKS=2(x3) | SLURM_NTASKS='2(x3)' but must be",
        "RANK=8 WORLD_SIZE=8 | by RANK=8 and WORLD_SIZE=8 (torchrun, Accelerate, DeepSpeed) it is not in [0, 8). Ranks are counted from 0;",
        "JOB_COMPLETION_INDEX=8 WORLD_SIZE=8 | by JOB_COMPLETION_INDEX=8 and WORLD_SIZE=8 (Kubernetes indexed job) it is not in [0, 8).",
        "RANK=3 WORLD_SIZE=8 PMI_RANK=? PMI_SIZE=8 | PMI_RANK='?' but must be a whole number of 0"
      })
  void valuesThatMeanNoRankAreRefused(String environment, String message) {
    assertThat(error(environment)).startsWith("Cannot find the rank: " + message);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "PENSTOCK_RANK=3 PENSTOCK_WORLD_SIZE=8 RANK=2 WORLD_SIZE=8"
            + " | PENSTOCK_RANK=3 and PENSTOCK_WORLD_SIZE=8 (Penstock's own)"
            + " | RANK=2 and WORLD_SIZE=8 (torchrun, Accelerate, DeepSpeed)",
        "RANK=0 WORLD_SIZE=8 SLURM_STEP_ID=0 SLURM_PROCID=3 SLURM_NTASKS=8"
            + " | RANK=0 and WORLD_SIZE=8 (torchrun, Accelerate, DeepSpeed)"
            + " | SLURM_PROCID=3 and SLURM_NTASKS=8 (SLURM)",
        "RANK=3 WORLD_SIZE=8 HOROVOD_RANK=3 HOROVOD_SIZE=4"
            + " | RANK=3 and WORLD_SIZE=8 (torchrun, Accelerate, DeepSpeed)"
            + " | HOROVOD_RANK=3 and HOROVOD_SIZE=4 (Horovod)",
        "OMPI_COMM_WORLD_RANK=3 OMPI_COMM_WORLD_SIZE=8 PMIX_RANK=1"
            + " | OMPI_COMM_WORLD_RANK=3 and OMPI_COMM_WORLD_SIZE=8 (Open MPI)"
            + " | PMIX_RANK=1 (PMIx)",
        "RANK=3 WORLD_SIZE=8 JOB_COMPLETION_INDEX=1"
            + " | RANK=3 and WORLD_SIZE=8 (torchrun, Accelerate, DeepSpeed)"
            + " | JOB_COMPLETION_INDEX=1 (Kubernetes indexed job)",
        "PMIX_RANK=0 JOB_COMPLETION_INDEX=1 WORLD_SIZE=8"
            + " | PMIX_RANK=0 and WORLD_SIZE=8 (PMIx)"
            + " | JOB_COMPLETION_INDEX=1 (Kubernetes indexed job)"
      })
  void sourcesThatDisagreeAreNamed(String environment, String first, String second) {
    assertThat(error(environment))
        .isEqualTo(
            "Cannot find the rank: the environment says "
                + first
                + ", but also "
                + second
                + ". Unset the variables that are not meant, or give the rank to the loader.");
  }

  @Test
  void theFirstSourceOfAllThatAgreeIsNamed() {
    String environment = "SLURM_STEP_ID=0 SLURM_PROCID=3 SLURM_NTASKS=8 PMIX_RANK=3";
    assertThat(sentence(environment))
        .isEqualTo("Rank 3/8 by SLURM_PROCID=3 and SLURM_NTASKS=8 (SLURM).");
    environment += " JOB_COMPLETION_INDEX=3 PMI_RANK=3 PMI_SIZE=8";
    assertThat(sentence(environment)).isEqualTo("Rank 3/8 by PMI_RANK=3 and PMI_SIZE=8 (PMI).");
    environment += " OMPI_COMM_WORLD_RANK=3 OMPI_COMM_WORLD_SIZE=8";
    assertThat(sentence(environment)).contains("(Open MPI)");
    environment += " HOROVOD_RANK=3 HOROVOD_SIZE=8";
    assertThat(sentence(environment)).contains("(Horovod)");
    environment += " RANK=3 WORLD_SIZE=8";
    assertThat(sentence(environment)).contains("(torchrun, Accelerate, DeepSpeed)");
    environment += " PENSTOCK_RANK=3 PENSTOCK_WORLD_SIZE=8";
    assertThat(sentence(environment)).contains("(Penstock's own)");
    assertThat(sentence("")).isEqualTo("Rank 0/1: no launcher has set another.");
    assertThat(sentence("WORLD_SIZE=8"))
        .isEqualTo(
            "Rank 0/1: no launcher has set another. WORLD_SIZE=8 without RANK means no rank.");
  }

  private static String sentence(String environment) {
    return RankSearch.in(environment(environment)).sentence();
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        // srun starts one torchrun on each of 2 nodes; with c10d the nodes may change places
        "RANK=5 WORLD_SIZE=8 GROUP_RANK=1 GROUP_WORLD_SIZE=2 SLURM_STEP_ID=0 SLURM_PROCID=0"
            + " SLURM_NTASKS=2 PMIX_RANK=0 | 5/8",
        // the pods of an indexed job do the same
        "RANK=5 WORLD_SIZE=8 GROUP_WORLD_SIZE=2 JOB_COMPLETION_INDEX=1 | 5/8",
        // srun starts DeepSpeed's launcher on each of 2 nodes
        "RANK=5 WORLD_SIZE=8 CROSS_SIZE=2 SLURM_STEP_ID=0 SLURM_PROCID=1 SLURM_NTASKS=2 | 5/8",
        // mpirun starts a torchrun on each of 2 nodes
        "RANK=5 WORLD_SIZE=8 GROUP_WORLD_SIZE=2 OMPI_COMM_WORLD_RANK=1 OMPI_COMM_WORLD_SIZE=2"
            + " PMIX_RANK=1 | 5/8",
        // mpirun starts its daemon on the second of 2 nodes by a step
        "OMPI_COMM_WORLD_RANK=5 OMPI_COMM_WORLD_SIZE=8 PMIX_RANK=5 SLURM_STEP_ID=0"
            + " SLURM_PROCID=0 SLURM_NTASKS=1 SLURM_STEP_NUM_TASKS=1 SLURM_STEP_NUM_NODES=1 | 5/8",
        "PMI_RANK=5 PMI_SIZE=8 SLURM_STEP_ID=0 SLURM_PROCID=1 SLURM_STEP_NUM_TASKS=2"
            + " SLURM_STEP_NUM_NODES=2 | 5/8"
      })
  void launchersThatWereStartedByOthersTellTheRank(String environment, String rank) {
    RankSearch search = RankSearch.in(environment(environment));
    assertThat(search.rank()).hasToString(rank);
    assertThat(search.sentence()).contains(" counts launchers.");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "RANK=5 WORLD_SIZE=8 GROUP_WORLD_SIZE=2 SLURM_STEP_ID=0 SLURM_PROCID=1 SLURM_NTASKS=4",
        "RANK=5 WORLD_SIZE=8 GROUP_WORLD_SIZE=2 JOB_COMPLETION_INDEX=2",
        "RANK=5 WORLD_SIZE=8 SLURM_STEP_ID=0 SLURM_PROCID=1 SLURM_STEP_NUM_TASKS=2"
            + " SLURM_STEP_NUM_NODES=2",
        "PMI_RANK=5 PMI_SIZE=8 SLURM_STEP_ID=0 SLURM_PROCID=1 SLURM_STEP_NUM_TASKS=4"
            + " SLURM_STEP_NUM_NODES=2",
        "PMI_RANK=1 PMI_SIZE=2 SLURM_STEP_ID=0 SLURM_PROCID=0 SLURM_STEP_NUM_TASKS=2"
            + " SLURM_STEP_NUM_NODES=2",
        "PENSTOCK_RANK=1 PENSTOCK_WORLD_SIZE=2 GROUP_WORLD_SIZE=4 SLURM_STEP_ID=0 SLURM_PROCID=0"
            + " SLURM_NTASKS=4"
      })
  void numbersThatDoNotCountLaunchersDisagree(String environment) {
    assertThat(error(environment)).contains(", but also ");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "RANK=0 WORLD_SIZE=4 | The environment says the same.",
        "RANK=3 WORLD_SIZE=8 | The environment, which is not used, says: Rank 3/8 by RANK=3 and"
            + " WORLD_SIZE=8 (torchrun, Accelerate, DeepSpeed).",
        "'' | The environment, which is not used, says: Rank 0/1: no launcher has set another.",
        "RANK=x WORLD_SIZE=8 | The environment is not used: Cannot find the rank: RANK='x' but must"
            + " be a whole number of 0 or more. Correct or unset it, or give the rank to the loader."
      })
  void givenRankHoldsWhateverTheEnvironmentSays(String environment, String sentence) {
    Rank rank = new Rank(0, 4);
    assertThat(Ranks.given(rank, environment(environment))).isEqualTo(rank);
    assertThat(RankSearch.given(rank, environment(environment)))
        .isEqualTo("Rank 0/4 as given. " + sentence);
  }
}
