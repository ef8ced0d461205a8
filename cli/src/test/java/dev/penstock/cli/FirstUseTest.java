package dev.penstock.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.DisabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

/// The script `penstock` of a clone, with stand-ins for Maven and for what it starts.
@DisabledOnOs(value = OS.WINDOWS, disabledReason = "the script is for POSIX shells")
class FirstUseTest {
  private static final Path ROOT = Path.of(System.getProperty("penstock.root", ".."));

  @TempDir Path clone;

  @BeforeEach
  void layOut() throws IOException {
    copy("penstock");
    copy(".mvn/find-jdk.sh");
    script("cli/src/dist/penstock", "[ -n \"${PENSTOCK_TRAIN-}\" ] || echo started \"$@\"");
    Files.createDirectories(clone.resolve("core/src/main"));
    Files.writeString(clone.resolve("pom.xml"), "");
    Files.writeString(clone.resolve("core/pom.xml"), "");
    maven("mkdir -p cli/target", "touch cli/target/penstock.jar", "echo '[INFO] BUILD SUCCESS'");
  }

  private void copy(String name) throws IOException {
    Path copy = clone.resolve(name);
    Files.createDirectories(copy.getParent());
    Files.copy(ROOT.resolve(name), copy);
    Files.setPosixFilePermissions(copy, PosixFilePermissions.fromString("rwxr-xr-x"));
  }

  private void script(String name, String... lines) throws IOException {
    Path script = clone.resolve(name);
    Files.createDirectories(script.getParent());
    Files.writeString(script, "#!/bin/sh\nset -eu\n" + String.join("\n", lines) + "\n");
    Files.setPosixFilePermissions(script, PosixFilePermissions.fromString("rwxr-xr-x"));
  }

  private void maven(String... lines) throws IOException {
    script(
        "mvnw",
        """
        echo '[INFO] Building Penstock 0.1.0-SNAPSHOT      [1/16]'
        echo '[INFO] Building Penstock core 0.1.0-SNAPSHOT [2/16]'
        """
            + String.join("\n", lines));
  }

  private CommandRun run(String... args) throws IOException, InterruptedException {
    ProcessBuilder builder = new ProcessBuilder(clone.resolve("penstock").toString());
    builder.command().addAll(List.of(args));
    builder.environment().put("JAVA_HOME", System.getProperty("java.home"));
    Path out = clone.resolve("out");
    Process process = builder.redirectOutput(out.toFile()).start();
    String told = new String(process.getErrorStream().readAllBytes(), StandardCharsets.UTF_8);
    return new CommandRun(process.waitFor(), Files.readString(out), told);
  }

  @Test
  void firstUseSaysWhatItBuildsAndLaterOnesBuildNothing() throws Exception {
    CommandRun first = run("schema", "a folder");
    assertThat(first.status()).isZero();
    assertThat(first.out()).isEqualTo("started schema a folder\n");
    assertThat(first.err().lines())
        .satisfiesExactly(
            line ->
                assertThat(line)
                    .isEqualTo(
                        "Building Penstock, first use: beginning, about 40 s beside what Maven"
                            + " downloads"),
            line ->
                assertThat(line)
                    .isEqualTo("Building Penstock, first use: compiling core, about 38 s left"),
            line -> assertThat(line).startsWith("Building Penstock, first use: done after "));
    assertThat(run("head")).isEqualTo(new CommandRun(0, "started head\n", ""));
  }

  @Test
  void newerSourcesAreBuilt() throws Exception {
    run("head");
    Path source = Files.writeString(clone.resolve("core/src/main/A.java"), "");
    Files.setLastModifiedTime(source, FileTime.from(Instant.now().plusSeconds(60)));
    assertThat(run("head").err()).contains("Building Penstock, its sources have changed: ");
  }

  @Test
  void failedBuildIsShownAndStartsNothing() throws Exception {
    maven("echo '[ERROR] no such symbol'", "exit 1");
    CommandRun run = run("head");
    assertThat(run.status()).isEqualTo(1);
    assertThat(run.out()).isEmpty();
    assertThat(run.err())
        .contains("[ERROR] no such symbol\nCannot run penstock: the build failed, see above;")
        .doesNotContain("[INFO]");
  }
}
