import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/// Starts a program that reads with core as two pages say: on the module path in a small runtime,
/// and with an ahead-of-time cache.
final class Starts {
  private static final String CACHE_PAGE = "docs/how-to/start-faster.md";
  private static final String MAIN = "reads.ReadFile";
  private static final Path TOOLS = Path.of(System.getProperty("java.home"), "bin");
  private static final String SEPARATOR = System.getProperty("path.separator");

  private final Consumers consumers;
  private final Path target;
  private final List<Path> libraries;

  Starts(Consumers consumers, Path project, List<Path> libraries) {
    this.consumers = consumers;
    this.target = project.resolve("target");
    this.libraries = libraries;
  }

  /// Returns what went wrong.
  List<String> check() throws IOException, InterruptedException {
    List<String> faults = new ArrayList<>();
    faults.addAll(run("core on the module path", modular()));
    faults.addAll(run("core with a cache", cached()));
    return faults;
  }

  /// In a runtime that has no more than docs/how-to/module-path.md says.
  private List<List<String>> modular() {
    Path classes = target.resolve("modular");
    Path runtime = target.resolve("runtime");
    String path = joined(libraries.stream());
    return List.of(
        List.of(
            TOOLS.resolve("javac").toString(),
            "-p",
            path,
            "-d",
            classes.toString(),
            "consumers/src/modular/module-info.java",
            "consumers/src/reads/ReadFile.java"),
        List.of(
            TOOLS.resolve("jlink").toString(),
            "--add-modules",
            "java.net.http,jdk.unsupported",
            "--output",
            runtime.toString()),
        List.of(
            runtime.resolve("bin/java").toString(),
            "--illegal-native-access=deny",
            "--enable-native-access=dev.penstock,com.github.luben.zstd_jni,snappy.java",
            "-p",
            classes + SEPARATOR + path,
            "-m",
            "consumer/" + MAIN,
            Use.FLIGHTS));
  }

  /// By the commands of the page: the first makes the cache, and the second fails if it cannot be
  /// used.
  private List<List<String>> cached() throws IOException {
    Path jar = target.resolve("train.jar");
    List<List<String>> commands = new ArrayList<>();
    commands.add(
        List.of(
            TOOLS.resolve("jar").toString(),
            "-cf",
            jar.toString(),
            "-C",
            target.resolve("classes").toString(),
            "."));
    String path = joined(Stream.concat(Stream.of(jar), libraries.stream()));
    for (String line : consumers.blocks(CACHE_PAGE, "").getFirst().lines().toList()) {
      List<String> command = new ArrayList<>(Arrays.asList(line.split(" ")));
      command.replaceAll(word ->
          switch (word) {
            case "java" -> TOOLS.resolve("java").toString();
            case "train.jar:penstock-core.jar:..." -> path;
            case "com.example.Train" -> MAIN;
            default -> word.replace("train.aot", target.resolve("train.aot").toString());
          });
      command.add(Use.FLIGHTS);
      commands.add(command);
    }
    commands.getLast().add(1, "-XX:AOTMode=on");
    return commands;
  }

  private static String joined(Stream<Path> jars) {
    return jars.map(Path::toString).collect(Collectors.joining(SEPARATOR));
  }

  private List<String> run(String what, List<List<String>> commands)
      throws IOException, InterruptedException {
    for (List<String> command : commands) {
      Process process =
          new ProcessBuilder(command).directory(consumers.file("").toFile()).inheritIO().start();
      if (process.waitFor() != 0) {
        return List.of(what + ": failed: " + String.join(" ", command));
      }
    }
    return List.of();
  }
}
