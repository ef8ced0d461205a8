package dev.penstock.cli;

import dev.penstock.BadFile;
import dev.penstock.DataLoader;
import dev.penstock.StructuredDataset;
import dev.penstock.cli.output.Numbers;
import dev.penstock.cli.output.Terminal;
import dev.penstock.cli.output.TextTable;
import dev.penstock.compose.Composition;
import dev.penstock.internal.request.OptionTable;
import dev.penstock.internal.request.PlanJson;
import dev.penstock.options.LoaderOptions;
import dev.penstock.report.PlanPart;
import dev.penstock.report.Report;
import dev.penstock.split.DataFileInfo;
import dev.penstock.split.FileSplit;
import dev.penstock.split.PartitionValue;
import dev.penstock.split.Plan;
import dev.penstock.split.Rank;
import dev.penstock.split.Split;
import dev.penstock.stats.RankCosts;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import picocli.CommandLine.ArgGroup;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/// `penstock plan`: what an epoch would read, and who reads it.
@Command(
    name = "plan",
    mixinStandardHelpOptions = true,
    description = {
      "Shows which reader would read which rows of which file in an epoch; reads no rows.",
      "There is one reader per worker, at least one. With --rank, the share of that rank.",
      "With --save, writes a plan of the files for --plan instead."
    },
    footer = {
      "penstock plan data/flights --workers 4",
      "penstock plan data/flights --rank 0/8 --json",
      "penstock plan s3://lake/flights --save s3://lake/plans/ --statistics day"
    })
final class PlanCommand extends DataCommand {
  @ArgGroup(validate = false)
  private ReportOption report = new ReportOption();

  @ArgGroup(validate = false)
  private SavePlanOption saving = new SavePlanOption();

  @Option(names = "--json", description = "Print one JSON object instead.")
  private boolean json;

  PlanCommand(Terminal terminal) {
    super(terminal, RequestOptions.all());
  }

  @Override
  public Integer call() {
    report.requireWritable();
    boolean saves = saving.isWanted(request.has(OptionTable.PLAN));
    StructuredDataset dataset = request.dataset();
    if (saves) {
      saving.save(dataset, terminal, json);
      return Main.DONE;
    }
    LoaderOptions options = request.loaderOptions();
    warn(dataset);
    Plan whole = dataset.plan(options, request.epoch());
    Plan plan = whole.withoutPruned();
    Optional<RankCosts> costs = costs(dataset, options);
    if (json) {
      terminal.printJson(json -> {
        json.writeStartObject();
        PlanJson.write(json, dataset, options, plan);
        costs.ifPresent(each -> PlanJson.imbalance(json, each));
        if (request.has(OptionTable.CACHE)) {
          json.writeNumberProperty("cachedRows", dataset.cachedRows(plan));
        }
        json.writeEndObject();
      });
    } else {
      terminal.print(
          withShortPaths(text(plan, dataset, dataset.badFiles(), options, costs))
              + TableVersion.line(dataset, plan.files()));
    }
    if (report.isWanted()) {
      Report page = Report.of(Report.Kind.PLAN, dataset, options, whole).command(commandText());
      PlanPart part = page.plan().orElseThrow();
      report.write(page.plan(costs.map(part::costs).orElse(part)), terminal);
    }
    return Main.DONE;
  }

  /// Shortens lines that list files for which the terminal has no room, and says so.
  private String withShortPaths(String text) {
    String fitted =
        text.lines()
            .map(line -> line.startsWith("  ") ? terminal.shortened(line) : line)
            .collect(Collectors.joining("\n", "", "\n"));
    return fitted.equals(text)
        ? text
        : fitted + "Paths are shortened here; they are whole in --json.\n";
  }

  private String text(
      Plan plan,
      StructuredDataset dataset,
      List<BadFile> badFiles,
      LoaderOptions options,
      Optional<RankCosts> costs) {
    StringBuilder text = new StringBuilder();
    boolean isMixed = dataset.mixture().isPresent();
    TextTable readers =
        new TextTable()
            .right("reader")
            .right("splits")
            .right(isMixed ? "rows looked at" : "rows")
            .right("file bytes");
    for (int reader = 0; reader < plan.splits().size(); reader++) {
      Split split = plan.splits().get(reader);
      readers.row(
          String.valueOf(reader),
          Numbers.count(split.fileSplits().size()),
          Numbers.count(split.rows()),
          Numbers.bytes(PlanJson.bytes(split)));
    }
    text.append(readers.fit(terminal.outColumns())).append('\n');
    for (int reader = 0; reader < plan.splits().size(); reader++) {
      text.append("reader ").append(reader).append(" reads\n");
      for (FileSplit split : plan.splits().get(reader).fileSplits()) {
        text.append("  ").append(split).append('\n');
      }
    }
    text.append(isMixed ? "\nread, one source after another\n" : "\ndelivered in this order\n");
    for (FileSplit split : plan.sequence()) {
      text.append("  ").append(split).append('\n');
    }
    appendPartitions(plan, text);
    text.append('\n')
        .append(
            String.join(
                ", ",
                "epoch " + plan.epoch(),
                Numbers.count(plan.rows(), "row"),
                Numbers.count(plan.files().size(), "file"),
                Numbers.count(plan.sequence().size(), "split")))
        .append("\nstrategy: ")
        .append(request.strategy())
        .append("\nshuffle: ")
        .append(options.order().shuffle())
        .append(", seed ")
        .append(options.order().seed())
        .append('\n')
        .append(cached(plan, dataset))
        .append(rank(options))
        .append(options.batching().composition().map(how -> "composed: " + how + "\n").orElse(""))
        .append(costs.map(PlanCommand::imbalance).orElse(""))
        .append(Sources.text(dataset, options, plan.rowsOfSources(), terminal.outColumns()))
        .append(
            Skips.text(
                plan, dataset.version().isPresent() ? "the table's metadata" : "its folders"));
    badFiles.forEach(file -> text.append("left out: ").append(file.reason()).append('\n'));
    return text.toString();
  }

  /// Returns what the batches of several ranks will cost; empty if they are not balanced.
  private Optional<RankCosts> costs(StructuredDataset dataset, LoaderOptions options) {
    boolean isAsked =
        options.batching().composition().filter(Composition::isBalanced).isPresent()
            && options.rankShare().rank().orElse(Rank.SINGLE).count() > 1;
    if (!isAsked) {
      return Optional.empty();
    }
    try (DataLoader loader = DataLoader.of(dataset, options)) {
      loader.setEpoch(request.epoch());
      return Optional.of(loader.rankCosts());
    }
  }

  private static String imbalance(RankCosts costs) {
    RankCosts.Imbalance after = costs.balanced();
    return "expected imbalance of "
        + Numbers.count(costs.ranks(), "rank")
        + ": the costliest is "
        + percent(costs.inTurn().median())
        + " above the mean in half of the steps dealt in turn, "
        + percent(after.median())
        + " balanced; at most 2 % in "
        + percent(after.within2())
        + " of "
        + Numbers.count(costs.steps(), "step")
        + '\n';
  }

  private static String percent(double share) {
    return String.format(Locale.ROOT, "%.1f %%", 100 * share);
  }

  private String cached(Plan plan, StructuredDataset dataset) {
    return request.has(OptionTable.CACHE)
        ? "cached: "
            + Numbers.count(dataset.cachedRows(plan))
            + " of "
            + Numbers.count(rowsLookedAt(plan), "row")
            + "\n"
        : "";
  }

  private static long rowsLookedAt(Plan plan) {
    return plan.splits().stream().mapToLong(Split::rows).sum();
  }

  private static String rank(LoaderOptions options) {
    Rank rank = options.rankShare().rank().orElse(Rank.SINGLE);
    return rank.count() == 1
        ? ""
        : "rank: " + rank + ", " + lower(options.rankShare().end()) + '\n';
  }

  private void appendPartitions(Plan plan, StringBuilder text) {
    Map<String, List<DataFileInfo>> partitions = new LinkedHashMap<>();
    for (DataFileInfo file : plan.files()) {
      if (!file.partition().isEmpty()) {
        String name =
            file.partition().stream()
                .map(PartitionValue::toString)
                .collect(Collectors.joining(", "));
        partitions.computeIfAbsent(name, _ -> new ArrayList<>()).add(file);
      }
    }
    if (partitions.isEmpty()) {
      return;
    }
    TextTable table = new TextTable().left("partition").right("files").right("rows");
    partitions.forEach((name, files) ->
        table.row(
            name,
            Numbers.count(files.size()),
            Numbers.count(files.stream().mapToLong(DataFileInfo::rows).sum())));
    text.append('\n').append(table.fit(terminal.outColumns()));
  }

  private static String lower(Enum<?> constant) {
    return constant.name().toLowerCase(Locale.ROOT);
  }
}
