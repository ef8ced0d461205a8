package dev.penstock.internal.dataset;

import dev.penstock.internal.choice.Sentence;
import dev.penstock.internal.plan.Matches;
import dev.penstock.internal.planfile.PlanDetails;
import dev.penstock.internal.planfile.PlanFile;
import dev.penstock.internal.planfile.PlanOrigin;
import dev.penstock.internal.planfile.PlannedFile;
import dev.penstock.internal.planfile.TablePlan;
import dev.penstock.internal.table.Discovery.Listing;
import dev.penstock.internal.table.FilePlan;
import dev.penstock.internal.table.FileSchema;
import dev.penstock.internal.table.Footer;
import dev.penstock.internal.table.FooterMemory;
import dev.penstock.internal.table.FoundFile;
import dev.penstock.internal.table.TableFile;
import dev.penstock.spi.format.ColumnStatistics;
import dev.penstock.spi.format.FileFormat;
import dev.penstock.spi.format.RowSet;
import dev.penstock.spi.storage.FileEntry;
import dev.penstock.spi.storage.StorageOptions;
import dev.penstock.storage.Location;
import java.io.IOException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Pattern;

/// A plan that was read or made, and stands for the footers of a dataset's files.
final class OpenPlan {
  private final Location location;
  private final String hash;
  private final PlanOrigin origin;
  private final List<FileSchema> schemas;
  private final PlanDetails details;
  private final Map<Location, Numbered> left = new LinkedHashMap<>(); // those that were not taken

  private record Numbered(int number, PlannedFile file) {}

  OpenPlan(Location location, PlanFile plan, PlanDetails details) {
    this.location = location;
    this.hash = plan.hash();
    this.origin = plan.origin();
    this.schemas = plan.schemas();
    this.details = details;
    for (int i = 0; i < plan.files().size(); i++) {
      PlannedFile file = plan.files().get(i);
      left.put(file.location(), new Numbered(i, file));
    }
  }

  /// Refuses the plan of another table, or of files that are read in another way.
  void require(Origin wanted) {
    String format =
        wanted instanceof Origin.Folders folders
            ? folders.format().map(FileFormat::name).orElse(origin.format())
            : "";
    origin.require(location, wanted.planned(format));
  }

  /// Refuses to take it for a plan that was to be saved in its place.
  void requireSame(String wanted, PlanWishes wishes) {
    if (!hash.equals(wanted)) {
      throw new IllegalArgumentException(
          Sentence.of(
              "Cannot save a plan as '%s': there is one of other files, versions or options. Name"
                  + " another file, or a folder, which ends in '/'.",
              location));
    }
    List<String> statistics = origin.statistics();
    if (!statistics.containsAll(wishes.statistics())) {
      throw new IllegalArgumentException(
          Sentence.of(
              "Cannot save a plan as '%s': there is one with statistics of %s but not all of %s."
                  + " Name another file, or remove it.",
              location, statistics, wishes.statistics()));
    }
    String filter = origin.filter();
    if (!wishes.condition().isEmpty() && !filter.equals(wishes.condition())) {
      throw new IllegalArgumentException(
          Sentence.of(
              "Cannot save a plan as '%s': there is one with the matches of '%s' but not of '%s'."
                  + " Name another file, or remove it.",
              location, filter, wishes.condition()));
    }
  }

  /// Returns the files as if they were listed, before any of them is taken.
  Listing listing(Origin.Folders folders) {
    FileFormat format = folders.providers().format(origin.format());
    List<FoundFile> files = new ArrayList<>();
    for (Numbered each : left.values()) {
      PlannedFile file = each.file;
      requireWithin(origin.locations(), file.location(), folders.storage());
      files.add(
          TablePlan.found(
                  file, folders.providers().store(file.location(), folders.storage()), format)
              .with(folders.formatOptions()));
    }
    return new Listing(files, Optional.empty());
  }

  /// Refuses a plan that leads to files outside of the locations.
  private void requireWithin(List<String> locations, Location file, StorageOptions options) {
    for (String each : locations) {
      String start = each.replaceFirst("[*?\\[{].*", "");
      boolean isWhole = start.equals(each);
      if (isWhole && !file.text().equals(each) && !start.endsWith("/")) {
        start += "/";
      }
      if (file.text().startsWith(start) || isOfExport(each, file, options)) {
        return;
      }
    }
    throw new IllegalArgumentException(
        Sentence.of(
            "Cannot use plan '%s': it has '%s', which is not in %s. %s",
            location, file, locations, PlanPlace.MAKE_ANEW));
  }

  /// Returns whether a location is the name of a data set in the Hugging Face Hub, and a file is of
  /// its Parquet export, of the config and the split that are asked for.
  private static boolean isOfExport(String location, Location file, StorageOptions options) {
    String any = "[^/]+";
    String config = options.get("config").map(Pattern::quote).orElse(any);
    String split = options.get("split").map(Pattern::quote).orElse(any);
    return location.startsWith("hf://")
        && file.text()
            .matches(
                Pattern.quote(location + "@~parquet/")
                    + String.join("/", config, split + "(-part[0-9]+)?", any));
  }

  /// Takes a file that was listed here or by the plan, without opening it. Each is taken once, so
  /// that what the plan has of it is in memory once.
  TableFile planned(FoundFile found, FooterMemory memory) throws IOException {
    Location here = found.entry().location();
    Numbered taken = left.get(TablePlan.full(here));
    if (taken == null) {
      throw new IOException(
          Sentence.of(
              "Cannot use plan '%s': it does not have '%s'. %s",
              location, here, PlanPlace.MAKE_ANEW));
    }
    PlannedFile file = taken.file;
    require(here, "bytes are", Long.toString(file.bytes()), Long.toString(found.entry().bytes()));
    if (!found.entry().version().isEmpty()) {
      require(here, "version is", file.version(), found.entry().version());
    }
    boolean isWhole = file.left().equals(file.stored());
    if (!isWhole) {
      String expected = "deleted rows";
      require(here, "rows are", expected, found.live().isPresent() ? expected : "all there");
    }
    Footer footer =
        Footer.planned(
            schemas.get(file.schema()), file.stored(), new Planned(taken.number), memory);
    left.remove(file.location());
    FileEntry entry = new FileEntry(here, file.bytes(), false, file.version());
    return TableFile.planned(
        entry.equals(found.entry()) ? found : found.with(entry),
        footer,
        isWhole ? Optional.empty() : Optional.of(file.left()));
  }

  private void require(Location file, String what, String stated, String here) throws IOException {
    if (!stated.equals(here)) {
      throw new IOException(
          Sentence.of(
              "Cannot read '%s': its %s '%s' here but '%s' in plan '%s'. %s",
              file, what, here, stated, location, PlanPlace.MAKE_ANEW));
    }
  }

  private final class Planned implements FilePlan {
    private final int file;

    Planned(int file) {
      this.file = file;
    }

    @Override
    public Optional<ColumnStatistics> statistics(int rowGroup, String column) throws IOException {
      return origin.statistics().contains(column)
          ? Optional.of(details.statistics(file, rowGroup, column))
          : Optional.empty();
    }

    @Override
    public Optional<RowSet> matches(String condition, long firstRow, long rowCount)
        throws IOException {
      // No file has so many rows together: who reads it will see.
      if (!origin.filter().equals(condition) || rowCount > Integer.MAX_VALUE) {
        return Optional.empty();
      }
      RowSet rows = new RowSet(firstRow);
      Matches.add(details.matches(file), firstRow, firstRow + rowCount, rows);
      rows.finish();
      return Optional.of(rows);
    }

    @Override
    public String remedy() {
      return Sentence.of("It is in plan '%s'. %s", location, PlanPlace.MAKE_ANEW);
    }
  }
}
