package dev.penstock.cli;

import dev.penstock.StructuredDataset;
import dev.penstock.cli.output.Numbers;
import dev.penstock.cli.output.Terminal;
import dev.penstock.options.LoaderOptions;
import dev.penstock.steps.AuditResult;
import dev.penstock.steps.AuditResult.Finding;
import dev.penstock.steps.AuditResult.Kind;
import dev.penstock.steps.StepDigest;
import dev.penstock.steps.StepRow;
import dev.penstock.steps.Steps;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.stream.Stream;
import picocli.CommandLine.ArgGroup;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import tools.jackson.core.JsonGenerator;

/// `penstock audit`: whether a training was given the rows that it should have been given.
@Command(
    name = "audit",
    mixinStandardHelpOptions = true,
    description = {
      "Compares the step logs of a training with what should have come, and names the first step"
          + " that differs.",
      "A log is what --step-log wrote, stepLog in Java or step_log in Python. Give the options of the"
          + " run; and its last state, if it changed its number of ranks or its batch size, skipped"
          + " steps or left rows out. No rows are read, except with --pass.",
      "The exit status is 0 if all lines are as expected, else 1."
    },
    footer = {
      "penstock audit data/flights --shuffle window:65536 --log steps.jsonl",
      "penstock audit data/flights --state s.json --log rank0.jsonl --log rank1.jsonl"
    })
final class AuditCommand extends DataCommand {
  private static final long LINES = 10;

  @Option(
      names = "--log",
      paramLabel = "FILE",
      required = true,
      description = "A log of steps, of one rank or of several. Repeatable.")
  private List<Path> logs = new ArrayList<>();

  @ArgGroup(validate = false)
  private RunOptions run = new RunOptions();

  @Option(names = "--json", description = "Print one JSON object instead.")
  private boolean json;

  AuditCommand(Terminal terminal) {
    super(terminal, RequestOptions.all());
  }

  @Override
  public Integer call() {
    StructuredDataset dataset = request.dataset();
    LoaderOptions options = request.loaderOptions().stepDigests(false); // a pass logs nothing
    run.begin();
    warn(dataset);
    AuditResult result = RunOptions.blame(() -> check(dataset, options));
    if (result.isAsExpected() && result.lines() == 0) {
      throw new IllegalArgumentException("Cannot audit: the log has no lines to compare.");
    }
    if (json) {
      terminal.printJson(json -> write(json, result));
    } else {
      terminal.print(text(result, dataset, options));
    }
    return result.isAsExpected() ? Main.DONE : Main.FAULT;
  }

  private AuditResult check(StructuredDataset dataset, LoaderOptions options) {
    try {
      return run.audit(dataset, options).check(logs);
    } catch (NoSuchFileException e) {
      throw new UncheckedIOException("Cannot read the log '" + e.getFile() + "': no such file.", e);
    } catch (IOException e) {
      throw new UncheckedIOException("Cannot read the log: " + e.getMessage(), e);
    }
  }

  private String text(AuditResult result, StructuredDataset dataset, LoaderOptions options) {
    String compared =
        Numbers.count(result.steps(), "step")
            + " of "
            + Numbers.count(result.ranks().size(), "rank")
            + ", "
            + Numbers.count(result.lines(), "line")
            + more(result.repeated(), "that came again")
            + more(result.abandoned(), "replaced after a resume")
            + ".\n";
    Optional<Finding> first = result.first();
    if (first.isEmpty()) {
      return "As expected: " + compared;
    }
    long others = result.wrong() - 1;
    return first.get().text()
        + "\n"
        + first.get().expected().map(step -> expected(step, dataset, options)).orElse("")
        + whole(first.get())
        + "Compared: "
        + compared
        + (others == 0
            ? ""
            : Numbers.count(others, "other difference") + ": --json has the first 100.\n");
  }

  private String whole(Finding first) {
    return first.kind() == Kind.UNREADABLE || run.hasStateOf(first.epoch())
        ? ""
        : "No state of epoch "
            + first.epoch()
            + ": it was compared with one that runs from start to end as the options say"
            + " (ranks: --rank R/W). If it changed its ranks or batch size, skipped"
            + " steps or left rows out, give the last --state that was saved in it.\n";
  }

  private static String more(long lines, String what) {
    return lines == 0 ? "" : ", and " + Numbers.count(lines, "line") + " " + what;
  }

  private String expected(StepDigest step, StructuredDataset dataset, LoaderOptions options) {
    StepLines lines = new StepLines(LINES, "penstock rows shows them.");
    try (Stream<StepRow> rows =
        run.rows(dataset, options, step.epoch()).rows(Steps.of(step.step()), step.rank())) {
      rows.forEach(lines::add);
    }
    return lines.isEmpty()
        ? ""
        : lines.text(
                "expected in step " + step.step() + ", rank " + step.rank(), terminal.outColumns())
            + "\n";
  }

  private static void write(JsonGenerator json, AuditResult result) {
    json.writeStartObject()
        .writeBooleanProperty("asExpected", result.isAsExpected())
        .writeNumberProperty("lines", result.lines())
        .writeNumberProperty("steps", result.steps())
        .writeArrayPropertyStart("ranks");
    result.ranks().forEach(json::writeNumber);
    json.writeEndArray()
        .writeNumberProperty("repeated", result.repeated())
        .writeNumberProperty("abandoned", result.abandoned())
        .writeNumberProperty("wrong", result.wrong())
        .writeArrayPropertyStart("findings");
    result.findings().forEach(each -> write(json, each));
    json.writeEndArray().writeEndObject();
  }

  private static void write(JsonGenerator json, Finding finding) {
    json.writeStartObject()
        .writeStringProperty("kind", finding.kind().name().toLowerCase(Locale.ROOT))
        .writeNumberProperty("epoch", finding.epoch())
        .writeStringProperty("steps", finding.steps().toString())
        .writeNumberProperty("rank", finding.rank())
        .writeStringProperty("log", finding.file())
        .writeNumberProperty("line", finding.line());
    finding.expected().ifPresent(step -> json.writeName("expected").writeRawValue(step.toJson()));
    finding.logged().ifPresent(step -> json.writeName("logged").writeRawValue(step.toJson()));
    json.writeStringProperty("text", finding.text()).writeEndObject();
  }
}
