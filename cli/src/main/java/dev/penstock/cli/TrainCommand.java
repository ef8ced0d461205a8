package dev.penstock.cli;

import dev.penstock.cli.demo.SampleFlights;
import java.io.IOException;
import java.io.OutputStream;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;

/// `penstock train-cache`: runs what people run most, so that the ahead-of-time cache which this
/// process leaves holds it.
@Command(
    name = "train-cache",
    mixinStandardHelpOptions = true,
    hidden = true,
    description = "Runs most commands once, for the ahead-of-time cache. Prints nothing.")
final class TrainCommand implements Callable<Integer> {
  @Override
  public Integer call() throws IOException {
    Path rows = Files.createTempFile("penstock-", ".jsonl");
    try (SampleFlights flights = SampleFlights.extract();
        OutputStream json = Files.newOutputStream(rows)) {
      String folder = flights.trainingFolder().toString();
      run(json, "cat", folder, "--where", "delay >= 15");
      json.flush();
      List<List<String>> commands =
          List.of(
              List.of("--version"),
              List.of("--help"),
              List.of("head", "--help"),
              List.of("schema", folder),
              List.of("head", folder, "--columns", "delay,origin"),
              List.of("head", rows.toString()),
              List.of("plan", folder),
              List.of("load", folder, "--shuffle", "splits"),
              List.of("demo", "--progress", "none"),
              // Long enough to compile what decodes: later runs compile early what this one did.
              List.of("bench", folder, "--workers", "2", "--warm-up", "3", "--rounds", "1"));
      for (List<String> command : commands) {
        run(OutputStream.nullOutputStream(), command.toArray(String[]::new));
      }
    } finally {
      Files.delete(rows);
    }
    return Main.DONE;
  }

  private static void run(OutputStream out, String... args) {
    try (PrintStream err = new PrintStream(OutputStream.nullOutputStream())) {
      int status = Main.run(args, out, err);
      if (status != Main.DONE) {
        throw new IllegalStateException("Exit status " + status + " of " + String.join(" ", args));
      }
    }
  }
}
