package dev.penstock.report;

import dev.penstock.BadFile;
import dev.penstock.split.DataFileInfo;
import dev.penstock.split.FileSplit;
import dev.penstock.stats.LoaderStats;
import dev.penstock.stats.PassStats;
import dev.penstock.stats.SkippedRows;
import dev.penstock.stats.Stage;
import dev.penstock.stats.StageTimes;
import dev.penstock.stats.StoreReads;
import dev.penstock.stats.WaitStats;
import dev.penstock.stats.WorkerStats;
import dev.penstock.steps.StepDigest;
import dev.penstock.steps.StepsReceived;
import dev.penstock.storage.Location;
import java.io.StringWriter;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HexFormat;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import tools.jackson.core.JsonGenerator;
import tools.jackson.core.ObjectWriteContext;
import tools.jackson.core.json.JsonFactory;

/// The data of a report as JSON, for its page. Many things of a kind are one object of arrays, so
/// that the text stays small.
final class ReportJson {
  private static final int VERSION = 1;
  private static final int FILES_MAX = 10_000;
  private static final int SPLITS_MAX = 10_000;

  private final JsonGenerator json;
  private final Columns columns;

  private ReportJson(JsonGenerator json) {
    this.json = json;
    this.columns = new Columns(json);
  }

  static String of(Report report) {
    StringWriter text = new StringWriter();
    try (JsonGenerator json = new JsonFactory().createGenerator(ObjectWriteContext.empty(), text)) {
      new ReportJson(json).write(report);
    }
    return text.toString();
  }

  private void write(Report report) {
    json.writeStartObject();
    json.writeNumberProperty("version", VERSION);
    json.writeStringProperty("penstock", version());
    json.writeStringProperty("kind", report.kind().name().toLowerCase(Locale.ROOT));
    json.writeStringProperty("title", report.title());
    json.writeStringProperty("created", Instant.now().truncatedTo(ChronoUnit.SECONDS).toString());
    json.writeBooleanProperty("live", report.isLive());
    report.command().ifPresent(line -> json.writeStringProperty("command", line));
    report.dataset().ifPresent(text -> json.writeStringProperty("dataset", text));
    machine();
    options("options", report.options());
    report.plan().ifPresent(this::plan);
    json.writeArrayPropertyStart("runs");
    report.runs().forEach(this::run);
    json.writeEndArray();
    json.writeEndObject();
  }

  private static String version() {
    String version = ReportJson.class.getPackage().getImplementationVersion();
    return version == null ? "development" : version;
  }

  private void machine() {
    json.writeObjectPropertyStart("machine");
    json.writeNumberProperty("processors", Runtime.getRuntime().availableProcessors());
    json.writeNumberProperty("heapBytes", Runtime.getRuntime().maxMemory());
    json.writeStringProperty("java", Runtime.version().toString());
    json.writeStringProperty(
        "system", System.getProperty("os.name") + " " + System.getProperty("os.arch"));
    json.writeEndObject();
  }

  private void options(String name, List<Option> options) {
    json.writeArrayPropertyStart(name);
    for (Option option : options) {
      json.writeStartObject();
      json.writeStringProperty("name", option.name());
      json.writeStringProperty("value", option.value());
      json.writeEndObject();
    }
    json.writeEndArray();
  }

  private void plan(PlanPart part) {
    List<DataFileInfo> files = part.plan().files();
    List<DataFileInfo> shown = files.subList(0, Math.min(files.size(), FILES_MAX));
    json.writeObjectPropertyStart("plan");
    json.writeNumberProperty("epoch", part.plan().epoch());
    json.writeNumberProperty("rows", part.plan().rows());
    json.writeNumberProperty("bytes", files.stream().mapToLong(DataFileInfo::bytes).sum());
    json.writeObjectPropertyStart("files");
    columns.texts("location", shown, file -> file.location().text());
    columns.numbers("bytes", shown, DataFileInfo::bytes);
    columns.numbers("rows", shown, DataFileInfo::rows);
    columns.numbers("rowGroups", shown, file -> file.rowGroups().size());
    json.writeEndObject();
    if (files.size() > FILES_MAX) {
      List<DataFileInfo> more = files.subList(FILES_MAX, files.size());
      json.writeObjectPropertyStart("filesMore");
      json.writeNumberProperty("files", more.size());
      json.writeNumberProperty("bytes", more.stream().mapToLong(DataFileInfo::bytes).sum());
      json.writeNumberProperty("rows", more.stream().mapToLong(DataFileInfo::rows).sum());
      json.writeEndObject();
    }
    splits(part, shown);
    json.writeObjectPropertyStart("readers");
    columns.numbers("rows", part.readers(), PlanPart.Reader::rows);
    columns.numbers("bytes", part.readers(), PlanPart.Reader::bytes);
    columns.numbers("splits", part.readers(), PlanPart.Reader::splits);
    json.writeEndObject();
    if (!part.ranks().isEmpty()) {
      json.writeObjectPropertyStart("ranks");
      columns.numbers("rows", part.ranks(), Long::longValue);
      json.writeNumberProperty("mine", part.rank());
      json.writeEndObject();
    }
    leftOut(part);
    part.costs().ifPresent(costs -> WorkJson.write(json, costs));
    json.writeEndObject();
  }

  /// A split and who reads it.
  private record ReaderSplit(int reader, int file, FileSplit split) {}

  private void splits(PlanPart part, List<DataFileInfo> shown) {
    Map<Location, Integer> numbers = new HashMap<>();
    shown.forEach(file -> numbers.putIfAbsent(file.location(), numbers.size()));
    List<ReaderSplit> splits = new ArrayList<>();
    long more = 0;
    for (int reader = 0; reader < part.plan().splits().size(); reader++) {
      for (FileSplit split : part.plan().splits().get(reader).fileSplits()) {
        if (splits.size() < SPLITS_MAX) {
          int file = numbers.getOrDefault(split.file().location(), -1);
          splits.add(new ReaderSplit(reader, file, split));
        } else {
          more++;
        }
      }
    }
    json.writeObjectPropertyStart("splits");
    columns.numbers("reader", splits, ReaderSplit::reader);
    columns.numbers("file", splits, ReaderSplit::file);
    columns.numbers("firstRow", splits, each -> each.split().firstRow());
    columns.numbers("endRow", splits, each -> each.split().endRow());
    json.writeEndObject();
    if (more > 0) {
      json.writeNumberProperty("splitsMore", more);
    }
  }

  private void leftOut(PlanPart part) {
    json.writeArrayPropertyStart("pruned");
    for (PlanPart.Pruned pruned : part.pruned()) {
      json.writeStartObject();
      json.writeStringProperty("by", pruned.by());
      json.writeNumberProperty("files", pruned.files());
      json.writeNumberProperty("rows", pruned.rows());
      json.writeStringProperty("why", pruned.why());
      json.writeEndObject();
    }
    json.writeEndArray();
    json.writeArrayPropertyStart("badFiles");
    for (BadFile file : part.badFiles()) {
      json.writeStartObject();
      json.writeStringProperty("location", file.location().text());
      json.writeStringProperty("reason", file.reason());
      json.writeEndObject();
    }
    json.writeEndArray();
  }

  private void steps(StepsReceived steps) {
    json.writeObjectPropertyStart("steps");
    json.writeNumberProperty("rank", steps.rank());
    json.writeNumberProperty("world", steps.world());
    json.writeNumberProperty("count", steps.count());
    json.writeStringProperty("digest", HexFormat.of().toHexDigits(steps.digest()));
    json.writeObjectPropertyStart("last");
    columns.numbers("step", steps.last(), StepDigest::step);
    columns.numbers("rows", steps.last(), StepDigest::rows);
    columns.texts("digest", steps.last(), StepDigest::hex);
    json.writeEndObject();
    json.writeEndObject();
  }

  private void run(Run run) {
    LoaderStats stats = run.stats();
    double seconds = stats.times().nanos() / 1e9;
    json.writeStartObject();
    json.writeStringProperty("name", run.name());
    options("settings", run.settings());
    if (run.isRecommended()) {
      json.writeBooleanProperty("recommended", true);
    }
    json.writeNumberProperty("seconds", seconds);
    json.writeNumberProperty("rows", stats.rows());
    json.writeNumberProperty("batches", stats.batches());
    json.writeNumberProperty("rowsPerSecond", seconds > 0 ? stats.rows() / seconds : 0);
    json.writeNumberProperty("bytesRead", stats.read().bytes());
    json.writeNumberProperty("bytesCached", stats.read().cached());
    json.writeNumberProperty("waitSeconds", stats.times().waitNanos() / 1e9);
    run.utilisation().ifPresent(busy -> json.writeNumberProperty("utilisation", busy));
    run.epoch().steps().ifPresent(this::steps);
    json.writeNumberProperty("memoryPeakBytes", stats.memory().peakBytes());
    json.writeNumberProperty("memoryLimitBytes", stats.memory().limitBytes());
    json.writeStringProperty("bottleneck", stats.bottleneck().toString());
    passes(stats);
    stores(stats);
    waits(stats.times().waits());
    skipped(stats.read().skipped());
    times(stats);
    new TimelineJson(json, columns).write(run.epoch().timeline());
    run.order().ifPresent(this::order);
    json.writeEndObject();
  }

  private void passes(LoaderStats stats) {
    json.writeObjectPropertyStart("passes");
    columns.texts("purpose", stats.passes(), PassStats::purpose);
    columns.numbers("rows", stats.passes(), PassStats::rowsRead);
    columns.numbers("nanos", stats.passes(), PassStats::nanos);
    json.writeEndObject();
  }

  private void stores(LoaderStats stats) {
    json.writeObjectPropertyStart("stores");
    List<Map.Entry<String, StoreReads>> stores = List.copyOf(stats.read().stores().entrySet());
    columns.texts("store", stores, Map.Entry::getKey);
    columns.numbers("bytes", stores, each -> each.getValue().bytes());
    columns.numbers("retries", stores, each -> each.getValue().retries());
    json.writeEndObject();
  }

  private void waits(WaitStats waits) {
    json.writeObjectPropertyStart("waits");
    json.writeNumberProperty("count", waits.count());
    json.writeNumberProperty("p50", waits.quantileNanos(0.5));
    json.writeNumberProperty("p90", waits.quantileNanos(0.9));
    json.writeNumberProperty("p99", waits.quantileNanos(0.99));
    json.writeNumberProperty("max", waits.maxNanos());
    json.writeEndObject();
  }

  private void skipped(SkippedRows skipped) {
    json.writeObjectPropertyStart("skipped");
    json.writeNumberProperty("files", skipped.files());
    json.writeNumberProperty("statistics", skipped.statistics());
    json.writeNumberProperty("bloomFilters", skipped.bloomFilters());
    json.writeNumberProperty("pageIndex", skipped.pageIndex());
    json.writeNumberProperty("values", skipped.values());
    json.writeEndObject();
  }

  private void times(LoaderStats stats) {
    List<Stage> stages = List.of(Stage.values());
    columns.texts("stages", stages, Stage::name);
    StageTimes waited = stats.times().waitedFor();
    columns.numbers("waitedFor", stages, waited::nanos);
    json.writeArrayPropertyStart("workers");
    for (WorkerStats worker : stats.times().workers()) {
      json.writeStartObject();
      json.writeNumberProperty("worker", worker.worker());
      json.writeBooleanProperty("parked", worker.isParked());
      columns.numbers("nanos", stages, worker.times()::nanos);
      json.writeEndObject();
    }
    json.writeEndArray();
  }

  private void order(OrderSample order) {
    json.writeObjectPropertyStart("order");
    json.writeNumberProperty("rows", order.rows());
    columns.numbers("delivered", order.delivered(), Long::longValue);
    columns.numbers("inFiles", order.inFiles(), Long::longValue);
    order.rankCorrelation().ifPresent(value -> json.writeNumberProperty("rankCorrelation", value));
    order.labels().ifPresent(this::labels);
    json.writeEndObject();
  }

  private void labels(OrderSample.LabelShares labels) {
    json.writeObjectPropertyStart("labels");
    json.writeStringProperty("column", labels.column());
    columns.texts("values", labels.values(), value -> value);
    columns.numbers("batch", labels.batches(), Long::longValue);
    json.writeArrayPropertyStart("shares");
    labels.shares().forEach(columns::shares);
    json.writeEndArray();
    json.writeName("overall");
    columns.shares(labels.overall());
    json.writeEndObject();
  }
}
