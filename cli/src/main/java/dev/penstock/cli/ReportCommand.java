package dev.penstock.cli;

import dev.penstock.cli.output.Terminal;
import dev.penstock.report.Report;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.Callable;
import picocli.CommandLine.ArgGroup;
import picocli.CommandLine.Command;
import picocli.CommandLine.Parameters;

/// `penstock report`: a recording of Java's flight recorder as a page.
@Command(
    name = "report",
    mixinStandardHelpOptions = true,
    description = {
      "Shows the epochs in a recording of Java's flight recorder as an HTML page: where the time of"
          + " a training program went.",
      "Record with -XX:StartFlightRecording:filename=load.jfr, or for a minute with jcmd PID"
          + " JFR.start duration=60s filename=load.jfr.",
      "A recording also has the command line and the environment of its process, with secrets in"
          + " them. The page shows nothing of these."
    },
    footer = {
      "penstock report load.jfr --report load.html",
      "penstock report runs/7.jfr --report 7.html"
    })
final class ReportCommand implements Callable<Integer> {
  private final Terminal terminal;

  @Parameters(paramLabel = "RECORDING", description = "The recording, a .jfr file.")
  private Path recording = Path.of("");

  @ArgGroup(validate = false, multiplicity = "1")
  private ReportOption report = new ReportOption();

  ReportCommand(Terminal terminal) {
    this.terminal = terminal;
  }

  @Override
  public Integer call() {
    report.requireWritable();
    if (!Files.isRegularFile(recording)) {
      throw new IllegalArgumentException(
          "Cannot read the recording " + recording + ": there is no such file.");
    }
    report.write(read(), terminal);
    return Main.DONE;
  }

  private Report read() {
    try {
      return Report.ofRecording(recording);
    } catch (IOException e) {
      throw new UncheckedIOException(e.getMessage(), e);
    }
  }
}
