package dev.penstock.internal.passes;

import dev.penstock.filter.Filter;
import dev.penstock.filter.Literal;
import dev.penstock.format.RowGroup;
import dev.penstock.internal.choice.Choices;
import dev.penstock.internal.choice.Sentence;
import dev.penstock.internal.decode.BlockTransform;
import dev.penstock.internal.decode.FilterMemo;
import dev.penstock.internal.decode.RowSteps;
import dev.penstock.internal.filter.Condition;
import dev.penstock.internal.filter.FilterBinder;
import dev.penstock.internal.filter.RowSelector;
import dev.penstock.internal.plan.ChosenRows;
import dev.penstock.internal.plan.Matches;
import dev.penstock.internal.plan.RowRun;
import dev.penstock.internal.plan.Run;
import dev.penstock.internal.plan.Source;
import dev.penstock.internal.table.TableFile;
import dev.penstock.options.Transformation;
import dev.penstock.schema.Schema;
import dev.penstock.spi.format.RowSet;
import dev.penstock.steps.ExcludedRows;
import dev.penstock.steps.ExcludedRows.Entry;
import dev.penstock.steps.ExcludedRows.Place;
import dev.penstock.storage.Location;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;

/// Finds excluded rows among all rows, also those that the filter leaves out, by one pass over the
/// columns of their keys. Reads only row groups whose statistics do not rule them out. What was
/// found is kept.
///
/// **Threads.** One at a time.
final class ExclusionPass {
  /// Where a row is, among the live ones of its file.
  private record Found(int source, Location file, long row) {}

  private final PassReader reader;
  private final Map<Entry, List<Found>> known = new HashMap<>();

  ExclusionPass(PassReader reader) {
    this.reader = reader;
  }

  /// Returns the rows in each source.
  ///
  /// @param sources with the footers of all files
  /// @throws IllegalArgumentException if no source has a column or a file
  ChosenRows find(ExcludedRows rows, List<Source> sources) {
    Map<Set<String>, List<ExcludedRows.Key>> keys = new LinkedHashMap<>();
    List<Place> places = new ArrayList<>();
    for (Entry entry : rows.entries()) {
      if (!known.containsKey(entry)) {
        switch (entry) {
          case ExcludedRows.Key key ->
              keys.computeIfAbsent(key.values().keySet(), _ -> new ArrayList<>()).add(key);
          case Place place -> places.add(place);
        }
      }
    }
    Map<Entry, List<Found>> found = new HashMap<>();
    find(places, sources, found);
    keys.forEach((columns, same) -> find(columns, same, sources, found));
    known.putAll(found); // all or none, so that an error is met again
    ChosenRows.Builder all = new ChosenRows.Builder();
    for (Entry entry : rows.entries()) {
      for (Found each : Objects.requireNonNull(known.get(entry))) {
        all.add(each.source(), each.file(), each.row());
      }
    }
    return all.build();
  }

  /// Checks that each key is that of some row; of those that [#find] has looked for.
  ///
  /// @throws IllegalArgumentException if one is not
  void requireFound(ExcludedRows rows) {
    List<ExcludedRows.Key> missing = new ArrayList<>();
    for (Entry entry : rows.entries()) {
      if (entry instanceof ExcludedRows.Key key
          && Objects.requireNonNull(known.get(entry)).isEmpty()) {
        missing.add(key);
      }
    }
    if (!missing.isEmpty()) {
      throw new IllegalArgumentException(
          Sentence.of(
              "Cannot exclude rows: no row has %s%s. Leave %s out.",
              missing.getFirst().values(),
              missing.size() == 1 ? "" : ", and " + (missing.size() - 1) + " other keys",
              missing.size() == 1 ? "it" : "them"));
    }
  }

  private static void find(
      List<Place> places, List<Source> sources, Map<Entry, List<Found>> found) {
    if (places.isEmpty()) {
      return;
    }
    Map<String, Set<Location>> byName = new HashMap<>();
    List<Map<Location, TableFile>> files = new ArrayList<>();
    for (Source source : sources) {
      files.add(source.table().byLocation());
      for (Location file : files.getLast().keySet()) {
        byName.computeIfAbsent(name(file.text()), _ -> new LinkedHashSet<>()).add(file);
      }
    }
    for (Place place : places) {
      Location file =
          only(place, byName.getOrDefault(name(place.file()), Set.of()), byName.keySet());
      List<Found> rows = new ArrayList<>();
      for (Source source : sources) {
        TableFile here = files.get(source.number()).get(file);
        if (here != null) {
          live(here, place).ifPresent(row -> rows.add(new Found(source.number(), file, row)));
        }
      }
      found.put(place, rows);
    }
  }

  private static String name(String location) {
    return location.substring(location.lastIndexOf('/') + 1);
  }

  private static Location only(Place place, Set<Location> sameName, Collection<String> names) {
    String wanted = place.file();
    String end = wanted.startsWith("/") ? wanted : "/" + wanted;
    List<Location> meant =
        sameName.stream()
            .filter(each -> each.text().equals(wanted) || each.text().endsWith(end))
            .toList();
    if (meant.size() == 1) {
      return meant.getFirst();
    }
    throw new IllegalArgumentException(
        meant.isEmpty()
            ? Sentence.of(
                "Cannot exclude row %s of file '%s': there is no such file. %s",
                place.row(), wanted, Choices.listed("Files", wanted, new TreeSet<>(names)))
            : Sentence.of(
                "Cannot exclude row %s of file '%s': there are %s such files, '%s' and '%s' among"
                    + " them. Give more of its location.",
                place.row(), wanted, meant.size(), meant.get(0), meant.get(1)));
  }

  /// Returns the number of a stored row among the live ones; empty if it was deleted.
  private static Optional<Long> live(TableFile file, Place place) {
    RowSet live = file.live().orElse(null);
    long rows =
        live == null
            ? file.info().rows()
            : file.footer().rowGroups().stream().mapToLong(RowGroup::rowCount).sum();
    if (place.row() >= rows) {
      throw new IllegalArgumentException(
          Sentence.of(
              "Cannot exclude row %s of file '%s': it has rows [0, %s).",
              place.row(), file.location(), rows));
    }
    if (live == null) {
      return Optional.of(place.row());
    }
    long before = live.before(place.row());
    return live.before(place.row() + 1) > before ? Optional.of(before) : Optional.empty();
  }

  private void find(
      Set<String> columns,
      List<ExcludedRows.Key> keys,
      List<Source> sources,
      Map<Entry, List<Found>> found) {
    keys.forEach(key -> found.put(key, new ArrayList<>()));
    boolean isThere = false;
    for (Source source : sources) {
      Schema all = source.table().everyColumn();
      if (columns.stream().allMatch(column -> all.find(column).isPresent())) {
        find(columns, keys, source, found);
        isThere = true;
      }
    }
    if (!isThere) {
      Schema all = sources.getFirst().table().everyColumn();
      String missing =
          columns.stream().filter(column -> all.find(column).isEmpty()).findFirst().orElse("");
      throw new IllegalArgumentException(
          Sentence.of(
              "Cannot exclude rows by column '%s': there is no such column. %s",
              missing, Choices.listed("Columns", missing, all.names())));
    }
  }

  private void find(
      Set<String> columns,
      List<ExcludedRows.Key> keys,
      Source source,
      Map<Entry, List<Found>> found) {
    Schema all = source.table().everyColumn();
    Source keyed = source.aloneWhere("excluded rows", FilterBinder.bind(any(columns, keys), all));
    Matches matches = MatchPass.find(reader, keyed, FilterMemo.none());
    List<Run> runs = new ArrayList<>();
    for (Run run : keyed.runs(keyed.inFileOrder(), Transformation.ROWS)) {
      for (RowRun part : run.parts()) {
        if (matches.of(part) > 0) {
          runs.add(part);
        }
      }
    }
    if (runs.isEmpty()) {
      return;
    }
    Map<ExcludedRows.Key, Condition> conditions = new LinkedHashMap<>();
    keys.forEach(key -> conditions.put(key, FilterBinder.bind(is(key), all)));
    Map<String, TableFile> files =
        source.table().files().stream()
            .collect(Collectors.toMap(file -> file.location().text(), file -> file));
    RowSteps steps =
        RowSteps.plain(all, FilterMemo.none())
            .noting(
                BlockTransform.none(select(source, columns)),
                (block, context) -> {
                  TableFile file = Objects.requireNonNull(files.get(context.file().orElseThrow()));
                  long before = matches.before(file, context.firstRow());
                  conditions.forEach((key, condition) -> {
                    RowSelector selector = new RowSelector(condition, file.rows());
                    int count = selector.select(0, block.rowCount(), block::slice);
                    List<Found> rows = Objects.requireNonNull(found.get(key));
                    for (int i = 0; i < count; i++) {
                      long row = matches.row(file, before + selector.numbers()[i]);
                      synchronized (found) { // workers share it
                        rows.add(new Found(source.number(), file.location(), row));
                      }
                    }
                  });
                });
    reader.read("find excluded rows", runs, steps, List.of());
  }

  private static Schema select(Source source, Set<String> columns) {
    try {
      Schema read = source.table().select(List.copyOf(columns));
      source.table().requireReadable(read);
      return read;
    } catch (IOException e) {
      throw new UncheckedIOException(e.getMessage(), e);
    }
  }

  private static Filter any(Set<String> columns, List<ExcludedRows.Key> keys) {
    if (columns.size() == 1) {
      String column = columns.iterator().next();
      Set<Literal> values = new LinkedHashSet<>();
      keys.forEach(key -> values.add(Literal.of(Objects.requireNonNull(key.values().get(column)))));
      return new Filter.In(column, values);
    }
    List<Filter> each = keys.stream().map(ExclusionPass::is).toList();
    return each.size() == 1 ? each.getFirst() : new Filter.Or(each);
  }

  private static Filter is(ExcludedRows.Key key) {
    List<Filter> each = new ArrayList<>();
    key.values().forEach((column, value) -> each.add(Filter.col(column).eq(value)));
    return each.size() == 1 ? each.getFirst() : new Filter.And(each);
  }
}
