package dev.penstock.internal.passes;

import dev.penstock.compose.Composition;
import dev.penstock.internal.cache.CacheFolder;
import dev.penstock.internal.cache.CachedFile;
import dev.penstock.internal.cache.KeyDigest;
import dev.penstock.internal.compose.Composing;
import dev.penstock.internal.compose.CountedWindows;
import dev.penstock.internal.decode.BlockTransform;
import dev.penstock.internal.decode.RowSteps;
import dev.penstock.internal.order.Need;
import dev.penstock.internal.plan.RowRun;
import dev.penstock.internal.plan.Run;
import dev.penstock.internal.plan.Source;
import dev.penstock.internal.plan.WindowRun;
import dev.penstock.internal.table.ColumnSource;
import dev.penstock.internal.table.TableFile;
import dev.penstock.schema.DataType;
import dev.penstock.schema.Field;
import dev.penstock.schema.Schema;
import dev.penstock.storage.Location;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;

/// What a pass has counted of windows, in the cache of their files. It is found by everything that
/// decides it, so that whatever changes is counted anew.
///
/// **Threads.** One at a time.
final class KeptCounts {
  /// Another number where windows, or what is made of them, or the form changes.
  private static final String WHAT = "counted windows, form 1";

  private final CachedFile place;

  private KeptCounts(CachedFile place) {
    this.place = place;
  }

  /// Returns where the counts are kept; empty without a cache, and where it is not known whether
  /// they would be the same: files, deletes or a transform without a version.
  static Optional<KeptCounts> of(Need.Windows need, RowSteps steps) {
    List<TableFile> files = need.source().table().files();
    BlockTransform transform = steps.transform();
    boolean isKnown =
        !files.isEmpty()
            && files.stream().allMatch(file -> file.cached().isPresent())
            && (transform == null || transform.version().isPresent())
            && (need.source().version().isPresent()
                || files.stream().noneMatch(TableFile::hasDeletes));
    return isKnown
        ? Optional.of(
            new KeptCounts(digest(need, steps).within(files.getFirst().cached().get().file())))
        : Optional.empty();
  }

  private static KeyDigest digest(Need.Windows need, RowSteps steps) {
    Composing composing = Objects.requireNonNull(steps.composing());
    BlockTransform transform = steps.transform();
    KeyDigest all = new KeyDigest(WHAT);
    all.add(composing.how().toString());
    all.add(Composing.isCut(composing.how()) ? composing.batchSize() : 0);
    all.add(composing.deciding());
    if (transform != null) {
      all.add(transform.version().orElseThrow());
      all.add(transform.rows());
      all.add(transform.keepsRows() ? 1 : 0);
      all.add(transform.output());
    }
    Source source = need.source();
    all.add(source.condition());
    Schema read = read(need, transform == null ? composing.deciding() : transform.input());
    all.add(read);
    addFiles(source, read, all);
    addWindows(need, all);
    return all;
  }

  /// Returns the columns that are read, also by the filter.
  private static Schema read(Need.Windows need, Schema given) {
    Set<String> tested = new TreeSet<>();
    for (Run run : need.windows().runs()) {
      run.parts().forEach(part -> tested.addAll(part.rest().columns()));
    }
    Schema table = need.source().table().everyColumn();
    Set<Field> read = new LinkedHashSet<>(given.fields());
    tested.forEach(column -> read.add(table.find(column).orElseThrow()));
    return Schema.of(List.copyOf(read));
  }

  private static void addFiles(Source source, Schema read, KeyDigest all) {
    List<TableFile> files = source.table().files();
    all.add(files.size());
    boolean isDeleted = false;
    for (TableFile file : files) {
      all.add(file.cached().orElseThrow().file());
      for (Field column : read.fields()) {
        all.add(file.columns().rules().reading(column.name()));
        addSource(file.columns().source(column), all);
      }
      isDeleted |= file.hasDeletes();
    }
    // What was deleted belongs to a version of the table.
    all.add(isDeleted ? source.version().orElseThrow() : "");
  }

  private static void addSource(ColumnSource source, KeyDigest all) {
    switch (source) {
      case ColumnSource.Stored _ -> all.add(Schema.of(List.of(source.read().orElseThrow())));
      case ColumnSource.ListField(String _, DataType _, String field) -> {
        all.add(Schema.of(List.of(source.read().orElseThrow())));
        all.add(field);
      }
      case ColumnSource.VariantField(String path, String field) -> {
        all.add(path);
        all.add(field);
      }
      case ColumnSource.Constant(Comparable<?> value) ->
          all.add(value == null ? "null" : value.getClass().getName() + " " + value);
      case ColumnSource.RowNumbers(long first) -> all.add(first);
    }
  }

  private static void addWindows(Need.Windows need, KeyDigest all) {
    Map<Location, Integer> numbers = new HashMap<>();
    need.source().table().files().forEach(file -> numbers.put(file.location(), numbers.size()));
    all.add(need.windows().isShuffled() ? 1 : 0);
    for (Run run : need.windows().runs()) {
      all.add(((WindowRun) run).number());
      all.add(run.goesOn() ? 1 : 0);
      all.add(run.parts().size());
      for (RowRun part : run.parts()) {
        all.add(Objects.requireNonNull(numbers.get(part.file().location())));
        all.add(part.firstRow());
        all.add(part.rowCount());
      }
    }
  }

  Optional<CountedWindows> find(Need.Windows need, Composition how) {
    CacheFolder folder = place.folder();
    folder.begin();
    try {
      return place.metadata().flatMap(kept -> CountedWindows.read(kept, how, need.windows()));
    } finally {
      folder.end();
    }
  }

  void keep(CountedWindows counted, Need.Windows need) {
    CacheFolder folder = place.folder();
    folder.begin();
    try {
      place.keep(counted.bytes(need.windows()));
    } finally {
      folder.end();
    }
  }
}
