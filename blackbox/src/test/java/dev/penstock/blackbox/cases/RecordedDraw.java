package dev.penstock.blackbox.cases;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;

/// Draws a [RecordedCase] by its number. Another choice here changes many cases, whose orders have
/// to be recorded anew with a version that is known to be right.
final class RecordedDraw {
  private static final List<String> FILTERS =
      List.of(
          "id < 60",
          "id >= 30 and id < 155",
          "id >= 100",
          "id >= 0",
          "id < 0",
          "pick < 3",
          "pick = 9",
          "not (pick < 3)",
          "id < 60 or pick = 2",
          "id < 30 or id >= 45 and id != 90",
          "text is null",
          "text is not null and pick < 7",
          "text like 'b%'",
          "text in ('ant1', 'cat2', '1')",
          "score > 0.25",
          "not (score > 0.25)",
          "not (text like 'b%')",
          "score is null or weight >= 2",
          "key >= 'k0010' and key < 'k0030'",
          "id >= 20 and id < 400 and pick < 8");

  private static final List<String> WRONG_FILTERS = List.of("nothing = 3", "text > 3");

  /// What is drawn most of.
  private enum Kind {
    PLAIN,
    COMPOSED,
    MIXED,
    TRANSFORMED,
    WILD
  }

  private final int number;
  private final Draws draws;
  private final Kind kind;
  private final List<List<String>> sources = new ArrayList<>();
  private final List<String> mixture = new ArrayList<>();
  private final List<String> options = new ArrayList<>();
  private final List<String> then = new ArrayList<>();
  private final List<String> steps = new ArrayList<>();
  private final Set<String> columns = new HashSet<>(RecordedTable.COMMON); // of all sources
  private boolean hasLists = true; // all sources
  private String shuffle = "none";
  private int rows;

  RecordedDraw(int number) {
    this.number = number;
    this.draws = new Draws(number);
    this.kind =
        switch (draws.below(12)) {
          case 0, 1, 2, 3 -> Kind.PLAIN;
          case 4, 5, 6 -> Kind.COMPOSED;
          case 7, 8 -> Kind.MIXED;
          case 9, 10 -> Kind.TRANSFORMED;
          default -> Kind.WILD;
        };
  }

  private boolean isOr(Kind other) {
    return kind == other || (kind == Kind.WILD && draws.once(2));
  }

  RecordedCase drawn() {
    drawShuffle();
    if (isOr(Kind.MIXED)) {
      drawMixture();
    } else {
      drawSource(List.of());
    }
    int batchSize = drawBatches();
    drawReading();
    if (isOr(Kind.COMPOSED)) {
      options.add("compose " + composition());
    }
    if (kind == Kind.TRANSFORMED || (kind == Kind.WILD && draws.once(2))) {
      String function =
          draws.once(12)
              ? draws.of("failing", "none")
              : draws.of("uneven", "uneven", "identity", "half", "columns");
      options.add("transform " + function + " " + draws.of("groups", "1", "7", "20", "1000"));
    }
    drawColumns();
    drawThen(batchSize);
    leaveOutKnownDefects();
    TreeSet<Integer> stops = new TreeSet<>(List.of(0, draws.from(1, 3)));
    stops.add(draws.below(Math.max(1, rows / batchSize)));
    return new RecordedCase(
        number,
        sources,
        mixture,
        options,
        draws.of("0", "0", "1", "3").charAt(0) - '0',
        List.copyOf(stops),
        then,
        steps);
  }

  // --- What is read

  private void drawShuffle() {
    shuffle =
        switch (draws.below(12)) {
          case 0, 1, 2 -> "none";
          case 3, 4 -> "splits";
          case 5, 6, 7, 8 ->
              "window:" + draws.from(1, draws.once(2) ? 40 : 400) + draws.of("", ":1", ":2", ":3");
          case 9 -> "global:1";
          case 10 -> "global:2";
          default -> "torch:" + draws.from(1, 2);
        };
    if (isGlobal() && !draws.once(8)) {
      shuffle =
          switch (kind) {
            case COMPOSED, TRANSFORMED -> "window:" + draws.from(20, 90);
            case MIXED -> "global:1";
            default -> shuffle;
          };
    }
    options.add("shuffle " + shuffle);
  }

  private boolean isGlobal() {
    return shuffle.startsWith("global") || shuffle.startsWith("torch");
  }

  private void drawMixture() {
    int count = draws.from(2, 3);
    StringBuilder weights = new StringBuilder("weights");
    List<String> columns = draws.once(2) ? List.of() : someOf(RecordedTable.COMMON);
    for (int source = 0; source < count; source++) {
      drawSource(columns.isEmpty() ? RecordedTable.COMMON : columns);
      weights.append(' ').append(draws.from(2, 10) / 10.0);
    }
    mixture.add(weights.toString());
    mixture.add("stop " + draws.of("FIRST", "ALL", "REPEAT"));
    if (draws.once(2)) {
      mixture.add("sourceColumn source");
    }
    if (draws.once(3)) {
      int row = draws.from(1, 200);
      for (int stage = 0; stage < draws.from(1, 2); stage++) {
        StringBuilder later = new StringBuilder("weightsFrom " + row);
        for (int source = 0; source < count; source++) {
          later.append(' ').append(draws.once(4) && source > 0 ? 0 : draws.from(1, 10) / 10.0);
        }
        mixture.add(later.toString());
        row += draws.from(1, 200);
      }
    }
    if (draws.once(5)) {
      mixture.add("all where " + filter());
    }
  }

  private void drawSource(List<String> mixed) {
    List<RecordedTable> tables =
        mixed.isEmpty()
            ? List.of(RecordedTable.values())
            : List.of(RecordedTable.PLAIN, RecordedTable.SMALL, RecordedTable.LINES);
    RecordedTable table = draws.of(tables);
    if (table == RecordedTable.NONE && !draws.once(4)) {
      table = RecordedTable.WIDE;
    }
    if (kind == Kind.COMPOSED && !table.hasLists()) {
      table = RecordedTable.PLAIN;
    }
    hasLists &= table.hasLists() && mixed.isEmpty();
    rows = Math.max(rows, table.rows());
    List<String> choices = new ArrayList<>(List.of("table " + table.folder()));
    if (table == RecordedTable.PARTS && !draws.once(4)) {
      choices.add("hivePartitions");
    }
    if (!mixed.isEmpty()) {
      choices.add("columns " + String.join(" ", mixed));
      columns.retainAll(mixed);
    } else if (kind == Kind.COMPOSED ? draws.once(12) : draws.once(2)) {
      List<String> all = new ArrayList<>(RecordedTable.COMMON);
      if (hasLists) {
        all.addAll(RecordedTable.FURTHER);
      }
      List<String> some = someOf(all);
      hasLists &= some.contains("tokens") || some.contains("marks");
      choices.add("columns " + String.join(" ", some));
      columns.retainAll(some);
    }
    if (draws.once(3)) {
      choices.add(
          "where "
              + (choices.contains("hivePartitions") && draws.once(2)
                  ? draws.of("region = 'b'", "region != 'a' and pick < 7", "region in ('a', 'c')")
                  : filter()));
    }
    if (draws.once(3)) {
      choices.add(
          switch (draws.below(10)) {
            case 0, 1, 2 -> "splitBytes " + draws.of("1KiB", "2KiB", "4KiB", "1MiB");
            case 3 -> "strategy round-robin";
            case 4 -> "strategy " + (draws.once(5) ? "lossy" : "reversed");
            default -> "splitRows " + draws.from(1, 90);
          });
    }
    if (isGlobal() ? !draws.once(12) : draws.once(5)) {
      choices.add("cache " + table.folder() + " 64MiB");
    }
    if (draws.once(12)) {
      choices.add(draws.of("rowIndex row", "rowIndex row", "castToFloat pick"));
    }
    sources.add(choices);
  }

  private String filter() {
    return draws.of(draws.once(25) ? WRONG_FILTERS : FILTERS);
  }

  private List<String> someOf(List<String> columns) {
    List<String> some =
        new ArrayList<>(
            columns.stream().filter(each -> each.equals("id") || draws.once(2)).toList());
    if (draws.once(40)) {
      some.add("nothing");
    }
    return some;
  }

  // --- How

  private int drawBatches() {
    int batchSize = Math.max(draws.from(1, draws.once(3) ? 12 : 60), rows / 60);
    options.add("batchSize " + batchSize);
    if (draws.once(kind == Kind.COMPOSED ? 12 : 4)) {
      options.add("dropLast");
    }
    if (draws.once(9)) {
      options.add("stepsPerEpoch " + draws.from(1, 10));
    }
    return batchSize;
  }

  private String rank() {
    int world = draws.once(2) ? 1 : draws.from(2, 4);
    return "rank " + draws.below(world) + " of " + world;
  }

  private void drawReading() {
    options.add("seed " + (draws.once(3) ? draws.next() : draws.below(100)));
    options.add("workers " + draws.below(4));
    options.add(
        "memory "
            + (draws.once(6)
                ? draws.of("64KiB", "1MiB", "2MiB", "4MiB")
                : draws.of("8MiB", "64MiB", "256MiB")));
    options.add(rank());
    if (draws.once(2)) {
      options.add("rankEnd " + draws.of("exact", "pad", "drop"));
    }
    if (draws.once(5)) {
      options.add("countMatches false");
    }
    if (draws.once(4)) {
      options.add("prefetchFactor " + draws.from(1, 4));
    }
    if (draws.once(9)) {
      options.add("inOrder false");
    }
    if (draws.once(kind == Kind.PLAIN ? 7 : 50)) {
      options.add("splitPerWorker");
      if (!draws.once(6)) {
        replace("rank", "rank 0 of 1");
      }
    }
    if (draws.once(10)) {
      options.add(draws.of("poisonMemory", "record"));
    }
    if (draws.once(7)) {
      steps.add("collates" + (draws.once(4) ? " and fails" : ""));
    }
  }

  private String composition() {
    String column = draws.once(40) ? draws.of("nothing", "score", "marks", "key") : "";
    return switch (draws.below(5)) {
      case 0 ->
          "buckets " + or(column, "tokens") + (draws.once(2) ? "" : " " + draws.from(24, 300));
      case 1 ->
          "packs "
              + or(column, "tokens")
              + " "
              + draws.from(1, 60)
              + (draws.once(2) ? "" : " whole " + draws.of("error", "cut", "drop", "drop"));
      case 2 -> "groups " + or(column, "key");
      case 3 -> "windows " + or(column, "key") + " " + draws.from(1, 10) + " " + draws.from(1, 10);
      default -> "draws " + or(column, "weight") + (draws.once(2) ? "" : " " + draws.from(1, 600));
    };
  }

  private static String or(String column, String usual) {
    return column.isEmpty() ? usual : column;
  }

  private void drawColumns() {
    options.add("output " + draws.of("TENSOR", "TENSOR", "TENSOR", "ARRAY", "MAP"));
    options.add("nulls " + (draws.once(12) ? draws.of("nan", "fill:0", "error") : "mask"));
    boolean isWrong = draws.once(20);
    boolean isPlain = kind == Kind.PLAIN || kind == Kind.MIXED || kind == Kind.TRANSFORMED;
    if (draws.once(6) && (isWrong || (isPlain && columns.contains("text")))) {
      options.add("nulls text " + (draws.once(8) ? "mask" : draws.of("text:dog", "text:")));
    }
    String encoded = draws.of("text", "text", "key");
    if (draws.once(5) && (isWrong || (isPlain && columns.contains(encoded)))) {
      options.add(
          "strings "
              + encoded
              + " "
              + (draws.once(8)
                  ? "vocabulary"
                  : draws.of("codes", "codes", "hash 7", "hash 1000", "vocabulary -1")));
    }
    if (draws.once(6)) {
      options.add("timestamps " + draws.of("STORED", "DAYS", "SECONDS", "NANOS"));
    }
    if (draws.once(6)) {
      options.add("decimals " + draws.of("FLOAT64", "UNSCALED"));
    }
    if (draws.once(6) && (isWrong || columns.containsAll(List.of("pick", "score", "weight")))) {
      options.add(
          "features "
              + (draws.once(9)
                  ? "x text"
                  : draws.of("x score weight", "x score weight", "x pick weight", "x weight id")));
    }
  }

  // --- Where it goes on

  private void drawThen(int batchSize) {
    steps.add(draws.once(3) ? "merges" : "resumes");
    then.add("workers " + draws.below(4));
    if (draws.once(3)) {
      then.add("memory " + draws.of("8MiB", "64MiB"));
    }
    if (draws.once(4)) {
      then.add("batchSize " + Math.max(1, batchSize / 2));
    }
    if (draws.once(3)) {
      then.add(rank());
    }
    if (draws.once(12)) {
      then.add(
          draws.of("seed 12345", "shuffle splits", "shuffle window:7", "rankEnd drop", "dropLast"));
    }
    if (draws.once(10)) {
      then.add("countMatches " + draws.once(2));
    }
    if (draws.once(9)) {
      steps.add("damages " + draws.below(RecordedRun.DAMAGES.size()));
    }
    if (draws.once(3)) {
      steps.add("reads another epoch");
    }
    if (draws.once(3)) {
      steps.add("stops and goes on again");
    }
  }

  /// Leaves out what goes wrong, or not in the same way each time, in the version that recorded.
  private void leaveOutKnownDefects() {
    if (has(steps, "collates")) { // may wait for ever where memory is little
      replace("memory", "memory 256MiB");
      then.removeIf(each -> each.startsWith("memory "));
    }
    boolean isCached = sources.stream().anyMatch(each -> has(each, "cache "));
    if (has(options, "memory 64KiB") && isCached) { // how much is needed differs by what is cached
      replace("memory", "memory 1MiB");
    } else if (has(options, "memory 64KiB")) { // which worker is first to have too little differs
      replace("workers", "workers 0");
      then.replaceAll(each -> each.startsWith("workers ") ? "workers 0" : each);
    }
    boolean hasRanks = RecordedCase.worldOf(options) > 1 || RecordedCase.worldOf(then) > 1;
    if (has(options, "output ARRAY") && hasRanks && hasLists) { // an error in an empty batch
      replace("output", "output TENSOR");
    }
    if (has(options, "compose")) { // a matrix reads columns by wrong numbers
      options.removeIf(each -> each.startsWith("features "));
    }
    options.sort(Comparator.comparingInt(each -> each.startsWith("rank") ? 1 : 0));
  }

  private static boolean has(List<String> words, String start) {
    return words.stream().anyMatch(each -> each.startsWith(start));
  }

  private void replace(String name, String option) {
    options.replaceAll(each -> each.startsWith(name + " ") ? option : each);
  }
}
