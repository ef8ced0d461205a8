package dev.penstock.examples.spark;

import dev.penstock.cli.demo.SampleFlights;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/// Runs a program of this package over the bundled flights, on a cluster of this machine that lasts
/// as long as it does. This is how `examples/run` starts them.
public final class RunOnCluster {
  private RunOnCluster() {}

  /// Runs a program.
  ///
  /// @param args the folder that this module was built into, a file with the class path of Spark,
  ///   `xgboost`, `train` or `score`, and the program's own: the number of ranks (2), then of
  ///   rounds (30) or epochs (3), or the folder to write (`scores`)
  /// @throws IOException if the cluster does not start
  /// @throws InterruptedException if the thread is interrupted
  @SuppressWarnings("SystemOut")
  public static void main(String[] args) throws IOException, InterruptedException {
    Path target = Path.of(args[0]);
    Path home =
        StandaloneCluster.home(Files.readString(Path.of(args[1])), target.resolve("spark-home"));
    int ranks = args.length > 3 ? Integer.parseInt(args[3]) : 2;
    Optional<String> last = args.length > 4 ? Optional.of(args[4]) : Optional.empty();
    Path folder = Files.createTempDirectory(target, "cluster");
    Path log = folder.resolve("driver.log");
    int status;
    try (SampleFlights flights = SampleFlights.extract();
        StandaloneCluster cluster = new StandaloneCluster(home, folder, ranks, 1)) {
      Runtime.getRuntime().addShutdownHook(new Thread(cluster::close)); // where it is stopped
      System.out.println("A master and " + ranks + " workers run, with logs in " + folder);
      Program program = program(args[2], flights, folder, ranks, last);
      status =
          cluster
              .submit(arguments(target, program.main(), ranks, program.arguments()))
              .redirectOutput(ProcessBuilder.Redirect.INHERIT)
              .redirectError(log.toFile())
              .start()
              .waitFor();
    }
    if (status != 0) {
      System.err.println("The program failed, see " + log);
    }
    System.exit(status);
  }

  /// What runs on the cluster.
  private record Program(Class<?> main, List<String> arguments) {
    static Program of(Class<?> main, Object... arguments) {
      return new Program(main, Stream.of(arguments).map(Object::toString).toList());
    }
  }

  private static Program program(
      String name, SampleFlights flights, Path folder, int ranks, Optional<String> last) {
    return switch (name) {
      case "xgboost" ->
          Program.of(
              XgboostOnSpark.class,
              table("TABLE", flights.trainingFolder()),
              table("HELD_OUT", flights.heldOutFolder()),
              ranks,
              last.orElse("30"));
      case "train" ->
          Program.of(
              TrainOnSpark.class,
              flights.trainingFolder(),
              folder.resolve("checkpoints"),
              ranks,
              last.orElse("3"));
      case "score" ->
          Program.of(
              ScoreOnSpark.class,
              flights.heldOutFolder(),
              Path.of(last.orElse("scores")).toAbsolutePath(),
              2 * ranks); // parts, so that all workers are busy to the end
      default -> throw new IllegalArgumentException("Unknown program: " + name);
    };
  }

  /// Returns another folder, if the environment names one.
  private static String table(String variable, Path bundled) {
    return System.getenv().getOrDefault(variable, bundled.toString());
  }

  /// Returns what `spark-submit` is given for a program of this package.
  ///
  /// @param target the folder that this module was built into
  /// @param main its class
  /// @param cores how many tasks run at once
  /// @param own the program's own arguments
  static List<String> arguments(Path target, Class<?> main, int cores, List<String> own)
      throws IOException {
    List<String> arguments = new ArrayList<>();
    arguments.addAll(List.of("--class", main.getName()));
    arguments.addAll(List.of("--jars", jars(target.resolve("lib"))));
    arguments.addAll(List.of("--total-executor-cores", String.valueOf(cores)));
    arguments.addAll(List.of("--executor-cores", "1"));
    arguments.addAll(List.of("--executor-memory", "1g"));
    arguments.addAll(
        List.of("--conf", "spark.scheduler.barrier.maxConcurrentTasksCheck.interval=1s"));
    arguments.addAll(List.of("--conf", "spark.stage.maxConsecutiveAttempts=10"));
    arguments.add(target.resolve("penstock-examples-spark.jar").toString());
    arguments.addAll(own);
    return arguments;
  }

  private static String jars(Path lib) throws IOException {
    try (Stream<Path> jars = Files.list(lib)) {
      return String.join(",", jars.map(Path::toString).sorted().toList());
    }
  }
}
