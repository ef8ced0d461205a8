package dev.penstock.examples.spark;

import dev.penstock.cli.demo.SampleFlights;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/// Runs a program of this package over the bundled flights, on a cluster of this machine that lasts
/// as long as it does. This is how `examples/run` starts them.
public final class RunOnCluster {
  private static final String XGBOOST = "xgboost";
  private static final String TRAIN = "train";
  private static final String SCORE = "score";

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
    Path folder = Files.createTempDirectory(target, "cluster");
    int status;
    try (SampleFlights flights = SampleFlights.extract();
        StandaloneCluster cluster = new StandaloneCluster(home, folder, ranks, 1)) {
      System.out.println("A master and " + ranks + " workers run, with logs in " + folder);
      List<String> own =
          switch (args[2]) {
            case XGBOOST ->
                List.of(
                    table("TABLE", flights.trainingFolder()),
                    table("HELD_OUT", flights.heldOutFolder()),
                    String.valueOf(ranks),
                    args.length > 4 ? args[4] : "30");
            case TRAIN ->
                List.of(
                    flights.trainingFolder().toString(),
                    folder.resolve("checkpoints").toString(),
                    String.valueOf(ranks),
                    args.length > 4 ? args[4] : "3");
            case SCORE ->
                List.of(
                    flights.heldOutFolder().toString(),
                    Path.of(args.length > 4 ? args[4] : "scores").toAbsolutePath().toString(),
                    String.valueOf(2 * ranks));
            default -> throw new IllegalArgumentException("Unknown program: " + args[2]);
          };
      status =
          cluster
              .submit(arguments(target, program(args[2]), ranks, own))
              .redirectOutput(ProcessBuilder.Redirect.INHERIT)
              .redirectError(folder.resolve("driver.log").toFile())
              .start()
              .waitFor();
    }
    System.exit(status);
  }

  /// Returns another folder, if the environment names one.
  private static String table(String variable, Path bundled) {
    return System.getenv().getOrDefault(variable, bundled.toString());
  }

  private static String program(String name) {
    return switch (name) {
      case XGBOOST -> XgboostOnSpark.class.getName();
      case TRAIN -> TrainOnSpark.class.getName();
      default -> ScoreOnSpark.class.getName();
    };
  }

  /// Returns what `spark-submit` is given for a program of this package.
  ///
  /// @param target the folder that this module was built into
  /// @param program the name of its class
  /// @param cores how many tasks run at once
  /// @param own the program's own arguments
  static List<String> arguments(Path target, String program, int cores, List<String> own)
      throws IOException {
    List<String> arguments = new ArrayList<>();
    arguments.addAll(List.of("--class", program));
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
