package dev.penstock.cli;

import static java.util.stream.Collectors.joining;
import static org.assertj.core.api.Assertions.assertThat;

import dev.penstock.LoaderState;
import dev.penstock.testing.Seeded;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// The command as a process of its own, which is killed and cannot do anything about it.
@Tag("outer")
class KilledCommandTest {
  private static final String folder = HeldOutFlights.FOLDER.toString();

  @TempDir Path temporary;

  private static Process start(Map<String, String> environment, List<String> words)
      throws IOException {
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.addAll(List.of("-Xshare:auto", "-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC"));
    command.add("--enable-native-access=ALL-UNNAMED");
    command.addAll(List.of("-cp", System.getProperty("java.class.path"), Main.class.getName()));
    command.addAll(words);
    ProcessBuilder builder = new ProcessBuilder(command);
    builder.environment().putAll(environment);
    return builder.redirectError(ProcessBuilder.Redirect.DISCARD).start();
  }

  /// Kills it as `kill -9` does, and leaves open the pipe it writes to.
  private static void kill(Process process) throws InterruptedException {
    process.toHandle().destroyForcibly();
    process.waitFor();
  }

  private static List<String> words(String line, String... more) {
    return Stream.concat(CommandRun.words(line), Stream.of(more)).toList();
  }

  private static String run(List<String> words) {
    CommandRun run = CommandRun.of(words.toArray(String[]::new));
    assertThat(run.status()).as(run.err()).isZero();
    return run.out();
  }

  @Seeded(runs = 4)
  void catThatIsKilledAnywhereGoesOnFromItsLastState(Random random)
      throws IOException, InterruptedException {
    List<String> command =
        words(
            "cat --columns date,origin --shuffle splits --split-rows 2500 --batch-size 512",
            folder);
    byte[] whole = run(command).getBytes(StandardCharsets.UTF_8);
    Path file = temporary.resolve("state.json");
    Files.deleteIfExists(file);
    List<String> saving = new ArrayList<>(command);
    saving.addAll(List.of("--save-state", file.toString()));
    saving.addAll(List.of("--save-every", String.valueOf(1 + random.nextInt(10))));
    Process process = start(Map.of(), saving);
    byte[] printed;
    try (InputStream out = process.getInputStream()) {
      byte[] before = out.readNBytes(random.nextInt(whole.length));
      kill(process);
      byte[] behind = out.readAllBytes();
      printed = new byte[before.length + behind.length];
      System.arraycopy(before, 0, printed, 0, before.length);
      System.arraycopy(behind, 0, printed, before.length, behind.length);
    }
    String all = new String(whole, StandardCharsets.UTF_8);
    assertThat(all).startsWith(new String(printed, StandardCharsets.UTF_8));
    List<String> resuming = new ArrayList<>(command);
    long saved = 0;
    if (Files.exists(file)) {
      LoaderState state = LoaderState.parse(Files.readString(file));
      saved = state.epoch() == 1 ? 75_000 : Math.min(75_000, 512 * state.batches());
      resuming.addAll(List.of("--resume", file.toString()));
    }
    // Nothing that the state is behind of is missing from the output.
    assertThat(new String(printed, StandardCharsets.UTF_8).lines().count())
        .isGreaterThanOrEqualTo(saved);
    String first = all.lines().limit(saved).map(line -> line + "\n").collect(joining());
    assertThat(first + run(resuming)).isEqualTo(all);
  }

  @Test
  void loadThatIsKilledReportsEveryEpochWithTheSameDigests()
      throws IOException, InterruptedException {
    List<String> command =
        words("load --json --epochs 6 --columns delay,origin --batch-size 256", folder);
    List<String> whole = digests(run(command).lines().toList());
    String file = temporary.resolve("state.json").toString();
    List<String> saving = new ArrayList<>(command);
    saving.addAll(List.of("--save-state", file, "--save-every", "3"));
    Process process = start(Map.of(), saving);
    List<String> lines = new ArrayList<>();
    try (BufferedReader out =
        new BufferedReader(
            new InputStreamReader(process.getInputStream(), StandardCharsets.UTF_8))) {
      lines.add(out.readLine());
      lines.add(out.readLine());
      kill(process);
      lines.addAll(out.lines().toList());
    }
    List<String> first = digests(lines);
    List<String> rest =
        digests(run(words(String.join(" ", command), "--resume", file)).lines().toList());
    assertThat(whole).startsWith(first.toArray(String[]::new));
    // An epoch that was reported and not yet saved as done is reported again.
    assertThat(first.size() + rest.size()).isBetween(whole.size(), whole.size() + 1);
    assertThat(Collections.lastIndexOfSubList(whole, rest)).isEqualTo(whole.size() - rest.size());
  }

  private static List<String> digests(List<String> lines) {
    return lines.stream()
        .map(line -> {
          assertThat(line).doesNotContain("partial");
          return CommandRun.field(line, "epoch")
              + CommandRun.field(line, "rows")
              + CommandRun.field(line, "orderDigest");
        })
        .toList();
  }

  @Test
  void rankIsFoundInTheEnvironment() throws IOException, InterruptedException {
    Process process =
        start(
            Map.of("PENSTOCK_RANK", "1", "PENSTOCK_WORLD_SIZE", "2"),
            words("cat --columns delay", folder));
    String out = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    assertThat(process.waitFor()).isZero();
    assertThat(out).isEqualTo(run(words("cat --columns delay --rank 1/2", folder)));
    Process half = start(Map.of("PENSTOCK_RANK", "1"), words("cat", folder));
    assertThat(half.getInputStream().readAllBytes()).isEmpty();
    assertThat(half.waitFor()).isEqualTo(1);
  }
}
