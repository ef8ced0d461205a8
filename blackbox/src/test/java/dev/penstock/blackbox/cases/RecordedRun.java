package dev.penstock.blackbox.cases;

import dev.penstock.DataLoader;
import dev.penstock.EpochIterator;
import dev.penstock.Loader;
import dev.penstock.LoaderState;
import dev.penstock.StructuredDataset;
import dev.penstock.advice.Advice;
import dev.penstock.batch.Batch;
import dev.penstock.split.FileSplit;
import dev.penstock.split.Plan;
import dev.penstock.split.Split;
import dev.penstock.stats.LoaderStats;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.stream.Collectors;

/// Reads what a [RecordedCase] says, and notes what comes.
final class RecordedRun {
  /// What is replaced in the JSON of a state, and by what.
  static final List<List<String>> DAMAGES =
      List.of(
          List.of("\"version\":1", "\"version\":2"),
          List.of("\"epoch\":", "\"epoch\":-"),
          List.of("\"at\":[[", "\"at\":[[9"),
          List.of("\"at\":[[", "\"at\":[[1.5"),
          List.of("\"at\":[[", "\"at\":[[["),
          List.of("\"past\":[", "\"past\":[{\"world\":3,\"rankEnd\":\"pad\",\"at\":[[5,0]]}"),
          List.of("\"past\":[", "\"past\":[{\"world\":3,\"rankEnd\":\"far\",\"at\":[[5,0]]}"),
          List.of("\"world\":", "\"world\":1"),
          List.of("\"world\":", "\"worlds\":"),
          List.of("\"rankEnd\":\"", "\"rankEnd\":\"un"),
          List.of("\"batches\":", "\"batches\":1"),
          List.of("\"splits\":\"#", "\"splits\":\"#0"),
          List.of("\"files\":\"", "\"files\":\"1"),
          List.of("\"columns\":\"", "\"columns\":\"no, "),
          List.of("\"rank\":", "\"rank\":9"),
          List.of("{", "["),
          List.of("}", ""));

  /// More batches than any epoch of a case has.
  private static final int BATCHES_MAX = 2_000;

  private final RecordedCase what;
  private final Supplier<StructuredDataset> datasets;
  private final RecordedFacts facts;

  /// What came in an epoch, or in the first batches of one.
  private static final class Delivered {
    private final List<String> ids = new ArrayList<>();
    private final List<String> values = new ArrayList<>();
    private final List<Integer> sizes = new ArrayList<>();
    private final List<String> states = new ArrayList<>();

    void add(BatchDigest batch) {
      ids.add(batch.ids());
      values.add(batch.values());
      sizes.add(batch.rows());
    }
  }

  private RecordedRun(
      RecordedCase what, Supplier<StructuredDataset> datasets, RecordedFacts facts) {
    this.what = what;
    this.datasets = datasets;
    this.facts = facts;
  }

  /// Reads a case. Of what goes wrong the sentence is noted, too.
  static RecordedFacts of(RecordedCase what, RecordedDataset datasets, List<String> folders) {
    RecordedFacts facts = new RecordedFacts(folders);
    new RecordedRun(what, () -> datasets.of(what), facts).run();
    return facts;
  }

  private void run() {
    StructuredDataset dataset;
    try {
      dataset = datasets.get();
    } catch (RuntimeException e) {
      facts.note(
          "dataset",
          () -> {
            throw e;
          });
      return;
    }
    facts.note("plan", () -> text(RecordedLoader.plan(dataset, what.options(), what.epoch())));
    List<String> states = new ArrayList<>();
    facts.note(
        "loader",
        () -> {
          try (DataLoader loader = RecordedLoader.open(dataset, what.options())) {
            first(loader, states);
          }
          return "";
        });
    if (what.steps().contains("merges") && what.world() > 1) {
      facts.note("merged", () -> merged(dataset, states));
    }
    if (!states.isEmpty()) {
      String state = damaged(states.get(what.number() % states.size()));
      facts.note("rest", () -> text(rest("rest", what.thenOptions(), state).states));
    }
  }

  private void first(DataLoader loader, List<String> states) {
    boolean isCountedFirst = what.number() % 2 == 0;
    if (isCountedFirst) {
      facts.note("count", () -> Long.toString(loader.batchesPerEpoch()));
    }
    loader.setEpoch(what.epoch());
    Delivered all = new Delivered();
    facts.note(
        "end",
        () -> {
          if (what.steps().stream().anyMatch(each -> each.startsWith("collates"))) {
            read("", loader.collate(this::collated), all, BATCHES_MAX);
          } else {
            read("", loader, all, BATCHES_MAX);
          }
          return text(loader.stats());
        });
    if (!isCountedFirst) {
      facts.note("count", () -> Long.toString(loader.batchesPerEpoch()));
    }
    facts.note("states", () -> text(all.states));
    facts.note(
        "warnings",
        () -> loader.warnings().stream().map(Advice::toString).collect(Collectors.joining("\n")));
    facts.note("schema", () -> loader.schema().toString());
    states.addAll(all.states);
    if (what.steps().contains("reads another epoch")) {
      facts.note(
          "next",
          () -> {
            Delivered next = new Delivered();
            read("next", loader, next, what.isInOrder() ? 3 : BATCHES_MAX);
            return text(next.states);
          });
    }
  }

  private BatchDigest collated(Batch batch) {
    try (batch) {
      BatchDigest digest = BatchDigest.of(batch);
      if (what.steps().contains("collates and fails") && digest.ids().contains("91")) {
        throw new IllegalArgumentException("91 is not wanted");
      }
      return digest;
    }
  }

  /// Reads batches of the next epoch and notes them, those before an error included. The epoch is
  /// left open, as if it were cut short.
  private void read(String name, Loader<?> loader, Delivered delivered, int most) {
    try {
      EpochIterator<?> epoch = loader.iterator();
      boolean hasStates = what.isInOrder() && !what.has("splitPerWorker");
      for (int batches = 0; batches < most; batches++) {
        if (batches == 0 || (hasStates && what.stops().contains(batches))) {
          delivered.states.add(loader.state().toJson());
        }
        if (!epoch.hasNext()) {
          delivered.states.add(loader.state().toJson());
          break;
        }
        delivered.add(digest(epoch.next()));
      }
    } catch (RuntimeException e) {
      if (!what.isInOrder()) { // which batches came before it differs
        delivered.ids.clear();
        delivered.values.clear();
        delivered.sizes.clear();
      }
      throw e;
    } finally {
      note(name, delivered);
    }
  }

  private static BatchDigest digest(Object each) {
    if (each instanceof BatchDigest digest) {
      return digest;
    }
    try (Batch batch = (Batch) each) {
      return BatchDigest.of(batch);
    }
  }

  private void note(String name, Delivered delivered) {
    if (!what.isInOrder()) {
      delivered.ids.sort(null);
      delivered.values.sort(null);
      delivered.sizes.sort(null);
    }
    if (delivered.sizes.isEmpty()) {
      return;
    }
    facts.note(name + "order", () -> text(delivered.ids));
    facts.note(name + "values", () -> text(delivered.values));
    facts.note(name + "sizes", () -> delivered.sizes.size() + " batches of " + delivered.sizes);
  }

  // --- Going on

  /// Reads and notes what comes from a state on; of a second stop, too.
  private Delivered rest(String name, List<String> options, String state) {
    Delivered rest = new Delivered();
    try (DataLoader loader = RecordedLoader.open(datasets.get(), options)) {
      loader.resume(LoaderState.parse(state));
      read(name, loader, rest, BATCHES_MAX);
    }
    if (name.equals("rest") && what.steps().contains("stops and goes on again")) {
      String again = rest.states.get(Math.min(1, rest.states.size() - 1));
      facts.note("again", () -> text(rest("again", what.options(), again).states));
    }
    return rest;
  }

  /// Merges the states of all ranks after the same batch and notes what comes in the next world.
  private String merged(StructuredDataset dataset, List<String> states) {
    List<LoaderState> all = new ArrayList<>();
    int stop = what.stops().getLast();
    for (int rank = 0; rank < what.world(); rank++) {
      try (DataLoader loader = RecordedLoader.open(dataset, what.options(rank))) {
        loader.setEpoch(what.epoch());
        EpochIterator<Batch> epoch = loader.iterator();
        for (int batches = 0; batches < stop && epoch.hasNext(); batches++) {
          epoch.next().close();
        }
        all.add(loader.state());
      }
    }
    String merged = LoaderState.merge(all).toJson();
    states.add(merged);
    return merged + "\n" + text(rest("merged", what.thenOptions(), merged).states);
  }

  private String damaged(String state) {
    for (String step : what.steps()) {
      if (step.startsWith("damages ")) {
        List<String> damage = DAMAGES.get(Integer.parseInt(step.substring("damages ".length())));
        return state.replace(damage.getFirst(), damage.getLast());
      }
    }
    return state;
  }

  // --- Text

  private static String text(List<String> lines) {
    return String.join("\n", lines);
  }

  private String text(LoaderStats stats) {
    boolean isReadAhead =
        what.has("stepsPerEpoch"); // behind the last batch, as far as time permits
    return stats.rows()
        + " rows, "
        + stats.batches()
        + " batches, "
        + stats.rowsOfSources()
        + " of sources"
        + (isReadAhead ? "" : ", " + stats.padding());
  }

  private static String text(Plan plan) {
    return plan
        + "\n"
        + lines(plan.sequence(), FileSplit::toString)
        + "\n"
        + lines(plan.splits(), (Split split) -> lines(split.fileSplits(), FileSplit::toString))
        + "\n"
        + lines(plan.pruned(), each -> each.file().location() + " " + each.rows() + " " + each.by())
        + "\n"
        + lines(plan.prunedFiles(), each -> each.location() + " " + each.partition())
        + "\n"
        + plan.rowsOfSources();
  }

  private static <T> String lines(List<T> parts, Function<T, String> text) {
    return parts.stream().map(text).collect(Collectors.joining("\n", "[", "]"));
  }
}
