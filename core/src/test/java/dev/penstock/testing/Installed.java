package dev.penstock.testing;

import java.io.File;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Assumptions;

/// Test servers that come from elsewhere than Maven Central. With the profile `outer` they are
/// installed below `target` at first use, in the version that the project pins; without it, or
/// without their tool, tests that need one are skipped and say why.
public final class Installed {
  private static final boolean WINDOWS =
      System.getProperty("os.name").toLowerCase(Locale.ROOT).contains("windows");

  private Installed() {}

  /// Returns the folder of an npm project with its modules, or skips the test.
  ///
  /// @param name what is installed
  /// @param project a folder with `package.json` and `package-lock.json`
  /// @param target where to
  public static Path npm(String name, Path project, Path target) throws IOException {
    String lock = Files.readString(project.resolve("package-lock.json"));
    String stamp = lock.length() + " " + lock.hashCode();
    if (!isThere(target, stamp)) {
      requireProfile(name, "npm");
      String npm = requireTool(name, WINDOWS ? "npm.cmd" : "npm", "Node.js");
      Files.createDirectories(target);
      for (String file : List.of("package.json", "package-lock.json")) {
        Files.writeString(target.resolve(file), Files.readString(project.resolve(file)));
      }
      run(
          List.of(npm, "ci", "--ignore-scripts", "--no-audit", "--no-fund", "--loglevel=error"),
          Map.of(),
          target);
      Files.writeString(target.resolve("installed"), stamp);
    }
    requireTool(name, WINDOWS ? "node.exe" : "node", "Node.js");
    return target;
  }

  /// Returns a program that was built by Go, or skips the test.
  ///
  /// @param name the program's name
  /// @param module the module, with the version behind an `@`
  /// @param target the folder to build it to
  public static Path go(String name, String module, Path target) throws IOException {
    if (!isThere(target, module)) {
      requireProfile(name, "go");
      String go = requireTool(name, WINDOWS ? "go.exe" : "go", "Go");
      Files.createDirectories(target);
      run(List.of(go, "install", module), Map.of("GOBIN", target.toString()), target);
      Files.writeString(target.resolve("installed"), module);
    }
    return target.resolve(WINDOWS ? name + ".exe" : name);
  }

  /// Returns whether there is Go.
  public static boolean hasGo() {
    return onPath(WINDOWS ? "go.exe" : "go").isPresent();
  }

  private static boolean isThere(Path target, String stamp) throws IOException {
    Path file = target.resolve("installed");
    return Files.exists(file) && Files.readString(file).equals(stamp);
  }

  private static void requireProfile(String name, String tool) {
    Assumptions.assumeTrue(
        Ring.OUTER.isRunning(),
        name + " is not installed: ./mvnw -Pouter verify installs it, with " + tool);
  }

  private static String requireTool(String name, String program, String from) {
    Optional<Path> found = onPath(program);
    Assumptions.assumeTrue(
        found.isPresent(),
        () -> name + " needs '" + program + "', which is not on the PATH: install " + from);
    return found.get().toString();
  }

  private static Optional<Path> onPath(String program) {
    return Pattern.compile(File.pathSeparator, Pattern.LITERAL)
        .splitAsStream(System.getenv().getOrDefault("PATH", ""))
        .map(folder -> Path.of(folder, program))
        .filter(Files::isExecutable)
        .findFirst();
  }

  private static void run(List<String> command, Map<String, String> environment, Path folder)
      throws IOException {
    ProcessBuilder builder =
        new ProcessBuilder(command).directory(folder.toFile()).redirectErrorStream(true);
    builder.environment().putAll(environment);
    Process process = builder.start();
    String said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    try {
      int status = process.waitFor();
      if (status != 0) {
        throw new IOException(
            "'" + String.join(" ", command) + "' failed (" + status + "):\n" + said);
      }
    } catch (InterruptedException e) {
      process.destroyForcibly();
      Thread.currentThread().interrupt();
      throw new IOException("interrupted", e);
    }
  }
}
