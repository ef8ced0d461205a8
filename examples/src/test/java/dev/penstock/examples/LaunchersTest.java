package dev.penstock.examples;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

/// The scripts of `examples/launchers`, with scripts that stand in for SLURM and torchrun: they
/// start processes with the variables that these set.
@EnabledOnOs(OS.LINUX)
@Timeout(300) // of each test: ranks wait ten minutes for each other
class LaunchersTest {
  /// What all rows once come to, computed with pyarrow and numpy.
  private static final String ALL =
      "300,000 flights, 2,023,783 minutes late, squares 337,801,313, hashes 644,342,845,666,752";

  private static final String STATE_OF_OTHER_FILES =
      """
      {"format":"penstock-state","version":1,"files":"1 files, 5 rows, 9 bytes, #0",\
      "columns":"date, delay, distance","filter":"none","shuffle":"splits","seed":1,"splits":"#0",\
      "epoch":0,"batches":0,"past":[],"rank":0,"world":1,"rankEnd":"exact","at":[[0,0]]}\
      """;

  @TempDir Path folder;

  private LaunchedRun run(Map<String, String> environment, String... command) throws Exception {
    return LaunchedRun.of(folder, environment, List.of(command));
  }

  private LaunchedRun sbatch(Map<String, String> environment, String... options) throws Exception {
    List<String> command = new ArrayList<>(List.of("sbatch"));
    command.addAll(Arrays.asList(options));
    command.add(LauncherFiles.file("slurm.sh").toString());
    return run(environment, command.toArray(String[]::new));
  }

  private LaunchedRun torchrun(Map<String, String> environment) throws Exception {
    return run(
        environment,
        LauncherFiles.file("torchrun.sh").toString(),
        "java",
        "--enable-native-access=ALL-UNNAMED",
        RestartedTraining.class.getName(),
        LauncherFiles.FLIGHTS,
        LaunchedRun.state(folder).toString());
  }

  private LaunchedRun alone() throws Exception {
    return run(
        Map.of(),
        "java",
        "--enable-native-access=ALL-UNNAMED",
        RestartedTraining.class.getName(),
        LauncherFiles.FLIGHTS,
        LaunchedRun.state(folder).toString());
  }

  private static List<String> ranks(int count) {
    List<String> ranks = new ArrayList<>();
    for (int rank = 0; rank < count; rank++) {
      ranks.add("Rank " + rank + "/" + count + ": " + ALL);
    }
    return ranks;
  }

  @Test
  void aRankAloneReadsAllRows() throws Exception {
    LaunchedRun alone = alone();
    assertThat(alone.ranks()).as(alone.text()).isEqualTo(ranks(1));
  }

  @Test
  void slurmsRanksReadTheTableOnceThoughOneIsKilled() throws Exception {
    LaunchedRun job = sbatch(Map.of("DRILL", "1:20"));
    assertThat(job.tries())
        .as(job.text())
        .containsExactly("sbatch: run 0 ended with 137", "sbatch: run 1 ended with 0");
    assertThat(job.ranks()).isEqualTo(ranks(4));
  }

  @Test
  void slurmsNextJobGoesOnWithOtherRanks() throws Exception {
    LaunchedRun first = sbatch(Map.of("DRILL", "0:20", "SLURM_RESTART_COUNT", "3"), "--nodes=1");
    assertThat(first.tries()).as(first.text()).containsExactly("sbatch: run 0 ended with 137");
    assertThat(first.ranks()).isEmpty();
    LaunchedRun second = sbatch(Map.of(), "--nodes=1", "--ntasks-per-node=3");
    assertThat(second.ranks()).as(second.text()).isEqualTo(ranks(3));
  }

  @Test
  void slurmGivesUpAfterThreeMoreTries() throws Exception {
    String beforeTheFirstSave = "0:5";
    LaunchedRun job =
        sbatch(Map.of("DRILL", beforeTheFirstSave), "--nodes=1", "--ntasks-per-node=1");
    assertThat(job.tries())
        .as(job.text())
        .hasSize(4)
        .last()
        .isEqualTo("sbatch: run 3 ended with 137");
  }

  @Test
  void stateOfOtherFilesIsRefusedWithStatusTwo() throws Exception {
    Path state = Files.createDirectories(LaunchedRun.state(folder));
    Files.writeString(state.resolve("training.txt"), "0 0 0 0\n" + STATE_OF_OTHER_FILES + "\n");
    LaunchedRun alone = alone();
    assertThat(alone.status()).as(alone.text()).isEqualTo(2);
    assertThat(alone.text()).contains("Cannot resume: the files are '8 files, 300000 rows");
  }

  @Test
  void torchrunsRanksReadTheTableOnceThoughOneIsKilled() throws Exception {
    LaunchedRun job = torchrun(Map.of("DRILL", "1:20"));
    assertThat(job.tries())
        .as(job.text())
        .containsExactly("torchrun: run 0 ended with 1", "torchrun: run 1 ended with 0");
    assertThat(job.ranks()).isEqualTo(ranks(2));
  }
}
