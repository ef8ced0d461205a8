package dev.penstock.internal.table;

import dev.penstock.advice.Advice;
import dev.penstock.advice.Remedy;
import dev.penstock.spi.storage.FileEntry;
import dev.penstock.spi.storage.Storage;
import dev.penstock.storage.Location;
import dev.penstock.storage.Printable;
import java.io.IOException;
import java.util.List;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// A table of a table format, found where loose files were expected. Its data files alone do not
/// tell its rows: some were deleted, replaced, or never committed.
///
/// @param root the folder that was listed, with a slash at its end
/// @param below where the table is in there, with a slash at its end; empty if it is the root
record FoundTable(Kind kind, String root, String below) {
  private static final Logger LOG = LoggerFactory.getLogger(FoundTable.class);

  /// A folder of a table's data, and what is above it.
  private static final Pattern INNER =
      Pattern.compile("(.*?/)(data/([^/]+=[^/]*/)*|([^/]+=[^/]*/)+)");

  enum Kind {
    DELTA(
        "a Delta table",
        "(.*?)_delta_log(/.*)?",
        Advice.text(
            "Read it with DeltaDataset.table(location) of penstock-delta; the command does where it"
                + " is the only location.")),
    HUDI("a Hudi table", "(.*?)\\.hoodie(/.*)?", Advice.text("Hudi tables cannot be read.")),
    ICEBERG(
        "an Iceberg table",
        "(.*?)metadata/[^/]*\\.metadata\\.json(\\.gz)?",
        Advice.of(
            "Read it with %s.",
            Remedy.of(
                "metadata",
                "LOCATION",
                "IcebergDataset.metadata(location) of penstock-iceberg, or --metadata")));

    private final String name;
    private final Pattern files;

    @SuppressWarnings("ImmutableEnumChecker") // an Advice is immutable
    private final Advice instead;

    Kind(String name, String files, Advice instead) {
      this.name = name;
      this.files = Pattern.compile(files);
      this.instead = instead;
    }
  }

  /// Returns the table that a file or folder belongs to, by its name: the listed folder, with a
  /// slash at its end, and the rest.
  static Optional<FoundTable> of(String root, String below) {
    for (Kind kind : Kind.values()) {
      Matcher name = kind.files.matcher(below);
      if (name.matches() && (name.group(1).isEmpty() || name.group(1).endsWith("/"))) {
        return Optional.of(new FoundTable(kind, root, name.group(1)));
      }
    }
    return Optional.empty();
  }

  /// Looks for the table whose data a listed folder has: the folder is one of the table's
  /// partitions, or has all of its files, which some formats keep in `data`. Empty also if the
  /// store does not let us look.
  static Optional<FoundTable> around(Storage store, String root) {
    Matcher inner = INNER.matcher(root.endsWith("/") ? root : root + "/");
    if (!inner.matches()) {
      return Optional.empty();
    }
    try {
      for (String own : List.of("_delta_log", ".hoodie", "metadata")) {
        Optional<FoundTable> found = with(store, inner.group(1), own);
        if (found.isPresent()) {
          return found;
        }
      }
    } catch (IOException e) {
      LOG.debug("Cannot look for a table around {}", Printable.of(root), e);
    }
    return Optional.empty();
  }

  private static Optional<FoundTable> with(Storage store, String above, String own)
      throws IOException {
    Optional<FileEntry> folder = store.stat(new Location(above + own));
    if (folder.isEmpty() || !folder.get().folder()) {
      return Optional.empty();
    }
    Optional<FoundTable> byName = of(above, own);
    return byName.isPresent()
        ? byName
        : store.list(folder.get().location()).stream()
            .flatMap(file -> of(above, own + "/" + file.location().name()).stream())
            .findFirst();
  }

  String folder() {
    String text = root + below;
    return text.substring(0, text.length() - 1);
  }

  /// Returns the error of reading its files as loose ones, which the location `by` led to.
  IOException error(String by) {
    return Advice.ioError(
        "Cannot read '%s' as loose files: '%s' is %s, whose files do not tell by themselves"
            + " which of their rows are in the table. %s To read its files all the same, name"
            + " their format: %s.",
        by,
        folder(),
        kind.name,
        kind.instead,
        Remedy.of("format", "parquet", "format(\"parquet\"), or --format parquet"));
  }
}
