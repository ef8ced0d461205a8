package dev.penstock.examples;

import static java.util.Map.entry;

import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;

/// A run of a launcher's file with [RestartedTraining], on this machine, with what stands in for
/// the launcher.
///
/// @param status its exit status
/// @param text what it and its ranks printed
record LaunchedRun(int status, String text) {
  /// As all tests: a process of a few seconds needs no second compiler.
  private static final String QUICK = "-XX:TieredStopAtLevel=1 -XX:+UseSerialGC";

  /// Runs a command to its end.
  ///
  /// @param folder where it runs; the state is in a folder below it
  static LaunchedRun of(Path folder, Map<String, String> environment, List<String> command)
      throws IOException, InterruptedException {
    Path output = Files.createTempFile(folder, "run", ".txt");
    String path =
        String.join(
            File.pathSeparator,
            Path.of("src/test/launchers").toAbsolutePath().toString(),
            Path.of(System.getProperty("java.home"), "bin").toString(),
            System.getenv("PATH"));
    List<String> line = new ArrayList<>(command);
    line.addFirst("env"); // looks for the command where the new PATH says
    ProcessBuilder process = new ProcessBuilder(line);
    process
        .environment()
        .putAll(
            Map.ofEntries(
                entry("PATH", path),
                entry("CLASSES", System.getProperty("java.class.path")),
                entry("CLASSPATH", System.getProperty("java.class.path")),
                entry("MAIN", RestartedTraining.class.getName()),
                entry("DATA", LauncherFiles.FLIGHTS),
                entry("STATE", state(folder).toString()),
                entry("JAVA_TOOL_OPTIONS", QUICK)));
    process.environment().putAll(environment);
    process.directory(folder.toFile());
    int status =
        process.redirectErrorStream(true).redirectOutput(output.toFile()).start().waitFor();
    return new LaunchedRun(status, Files.readString(output));
  }

  static Path state(Path folder) {
    return folder.resolve("state");
  }

  /// Returns what ranks ended with, rank by rank.
  List<String> ranks() {
    return lines("Rank \\d+/\\d+: .*");
  }

  /// Returns how the launcher's tries ended.
  List<String> tries() {
    return lines("\\w+: run \\d+ ended with \\d+");
  }

  private List<String> lines(String pattern) {
    List<String> found =
        new ArrayList<>(
            Pattern.compile("(?m)^" + pattern + "$")
                .matcher(text)
                .results()
                .map(each -> each.group())
                .toList());
    Collections.sort(found);
    return found;
  }
}
