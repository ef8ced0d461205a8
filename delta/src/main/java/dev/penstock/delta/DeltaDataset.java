package dev.penstock.delta;

import dev.penstock.StructuredDataset;
import dev.penstock.advice.CheckReturnValue;
import dev.penstock.delta.internal.log.LogEngine;
import dev.penstock.delta.internal.log.TableFiles;
import dev.penstock.spi.catalog.LocationMap;
import dev.penstock.spi.catalog.TableLocations;
import dev.penstock.spi.storage.StorageOptions;
import dev.penstock.storage.Location;
import io.delta.kernel.Snapshot;
import io.delta.kernel.Table;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.time.Instant;
import java.util.Locale;
import java.util.Objects;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/// A Delta Lake table to read: its location, version and the options of its store.
///
/// ```java
/// StructuredDataset late = DeltaDataset.table("s3://lake/flights")
///     .version(12)
///     .dataset()
///     .where("delay >= 15");
/// ```
///
/// [#dataset()] returns a [StructuredDataset], on which you set columns, filter and splits. A
/// filter also rules out files by the partition values and statistics in the table's log, before
/// they are opened.
///
/// **One version.** The table is opened on first use, and its version is fixed from then on: for
/// all datasets and loaders of this object, all epochs and workers. It is part of a `LoaderState`.
/// To resume in another process, or to let several processes read the same version, pass its number
/// to [#version(long)].
///
/// Immutable: every setting returns a changed copy, which opens the table itself.
///
/// **Threads.** Safe for any.
///
/// **Errors.** A version that the table does not have throws [IllegalArgumentException]. Problems
/// with the log or files throw [UncheckedIOException]. No message contains a secret.
@CheckReturnValue
public final class DeltaDataset {
  private final String location;
  private final When when;
  private final LocationMap map;
  private final StorageOptions options;
  private volatile @Nullable DeltaTable pinned; // set with the monitor of this

  /// Which version is read.
  private sealed interface When {
    record Newest() implements When {}

    record Version(long number) implements When {}

    record AsOf(Instant time) implements When {}
  }

  private DeltaDataset(String location, When when, LocationMap map, StorageOptions options) {
    this.location = location;
    this.when = when;
    this.map = map;
    this.options = options;
  }

  /// Names a table.
  ///
  /// @param location its folder, which has the folder `_delta_log`
  /// @return the table, at its newest version
  /// @throws IllegalArgumentException if the location is blank or contains secrets
  public static DeltaDataset table(String location) {
    Objects.requireNonNull(location, "location must not be null.");
    new Location(location); // checks it
    return new DeltaDataset(location, new When.Newest(), LocationMap.NONE, StorageOptions.NONE);
  }

  /// Chooses a version.
  ///
  /// @param number the version, counted from 0
  /// @return the changed dataset
  /// @throws IllegalArgumentException if it is negative
  public DeltaDataset version(long number) {
    if (number < 0) {
      throw new IllegalArgumentException("version must be 0 or more, got " + number + ".");
    }
    return new DeltaDataset(location, new When.Version(number), map, options);
  }

  /// Chooses the version that was the newest at a time. For a time after the last commit that is
  /// the newest one. [#dataset()] throws an [IllegalArgumentException] for a time before the first
  /// version that the log still has.
  ///
  /// A commit's time is what it says itself (table property `delta.enableInCommitTimestamps`), else
  /// when its file was last written, and at least a millisecond after the commit before. So a log
  /// that was copied has the times of the copy. If a commit does not say its time, and the store
  /// does not either, [#dataset()] throws an [UncheckedIOException].
  ///
  /// @param time the time; what is below a millisecond is left out
  /// @return the changed dataset
  public DeltaDataset asOf(Instant time) {
    Objects.requireNonNull(time, "time must not be null.");
    return new DeltaDataset(location, new When.AsOf(time), map, options);
  }

  /// Sets where files are that were moved: absolute locations in the table's log that start with
  /// one prefix are read from another. If several prefixes match, the longest counts.
  ///
  /// It also says which places in the log are meant, if need be by mapping a prefix to itself:
  /// storage options go to the origin (scheme, host and port) of the table and to those of
  /// replacements. The log of a table that is not on this machine may name local files, and
  /// locations with `..`, only below a mapped prefix.
  ///
  /// @param from a prefix in the log, for example `s3://old/source`; a local one begins with
  ///   `file:/`
  /// @param to its replacement, for example `s3://new/source`
  /// @return the changed dataset
  /// @throws IllegalArgumentException if `from` is empty or `to` contains a secret
  public DeltaDataset mapLocation(String from, String to) {
    return new DeltaDataset(location, when, map.with(from, to), options);
  }

  /// Sets an option of the store, as [StructuredDataset#storageOption(String, String)]. Other
  /// origins than that of the table get it only if a location is [mapped][#mapLocation] to them.
  ///
  /// @param key an option, for example `endpoint` or `access-key-id`
  /// @param value its value, which replaces an earlier one
  /// @return the changed dataset
  /// @throws IllegalArgumentException if no store here takes the option
  public DeltaDataset storageOption(String key, String value) {
    var _ = new StructuredDataset(".").storageOption(key, value); // which checks that it exists
    return new DeltaDataset(location, when, map, options.with(key, value));
  }

  /// Returns the rows of the table at its version. Opens the table on the first call.
  ///
  /// @return the dataset, with all columns
  /// @throws IllegalArgumentException if the table does not have the version
  /// @throws IllegalStateException if the process's locale has digits of its own
  /// @throws UncheckedIOException if the folder is not a table, or the table cannot be read
  public StructuredDataset dataset() {
    return new StructuredDataset(pinned());
  }

  /// Returns the version that is read. Opens the table on the first call.
  ///
  /// @return its number
  /// @throws IllegalArgumentException as [#dataset()]
  /// @throws UncheckedIOException as [#dataset()]
  public long version() {
    return pinned().number();
  }

  synchronized DeltaTable pinned() {
    DeltaTable known = pinned;
    if (known == null) {
      try {
        known = open();
      } catch (IOException e) {
        throw new UncheckedIOException(e.getMessage(), e);
      }
      pinned = known;
    }
    return known;
  }

  /// Refuses a locale with digits of its own, with which Delta's library would write the names of
  /// commits that it looks for: it would find none.
  private void requireDigits() {
    Locale locale = Locale.getDefault(Locale.Category.FORMAT);
    if (!String.format(locale, "%d", 10).equals("10")) {
      throw new IllegalStateException(
          ("Cannot read Delta table '%s' in the locale %s: Delta's library looks for"
                  + " commits under names with the locale's digits. Call"
                  + " Locale.setDefault(Locale.Category.FORMAT, Locale.ROOT) first, or start Java"
                  + " with -Duser.language.format=en.")
              .formatted(location, locale.toLanguageTag()));
    }
  }

  private DeltaTable open() throws IOException {
    requireDigits();
    String folder = folder(new Location(location));
    TableFiles files = new TableFiles(TableLocations.of(folder, map, options));
    LogEngine engine = LogEngine.of(files);
    Table table = Table.forPath(engine, folder);
    Snapshot snapshot =
        switch (when) {
          case When.Newest() -> read(() -> table.getLatestSnapshot(engine));
          case When.Version(long number) ->
              read(() -> table.getSnapshotAsOfVersion(engine, number));
          case When.AsOf(Instant time) -> {
            Snapshot newest = read(() -> table.getLatestSnapshot(engine));
            long number = new CommitTimes(location, files, engine, newest).versionAt(time);
            yield number == newest.getVersion()
                ? newest
                : read(() -> table.getSnapshotAsOfVersion(engine, number));
          }
        };
    return DeltaTable.of(location, files, engine, snapshot);
  }

  private Snapshot read(Supplier<Snapshot> log) throws IOException {
    try {
      return log.get();
    } catch (RuntimeException | StackOverflowError e) {
      IllegalArgumentException wrong =
          when instanceof When.Newest ? null : DeltaErrors.ofVersion(location, e);
      if (wrong != null) {
        throw wrong;
      }
      throw DeltaErrors.of(location, e);
    }
  }

  /// Returns the folder with its full path, which a log may name, and without a slash at its end.
  private static String folder(Location location) {
    String text = location.text();
    String full =
        location.scheme().equals("file") ? Path.of(text).toAbsolutePath().normalize() + "" : text;
    return full.endsWith("/") ? full.substring(0, full.length() - 1) : full;
  }

  /// Shows location and version, and the columns if the table was opened already.
  @Override
  public String toString() {
    DeltaTable known = pinned;
    return "DeltaDataset %s, %s"
        .formatted(
            location,
            known == null
                ? asked() + ", not opened yet"
                : "version " + known.number() + ", columns " + known.schema().summary());
  }

  private String asked() {
    return switch (when) {
      case When.Newest() -> "newest version";
      case When.Version(long number) -> "version " + number;
      case When.AsOf(Instant time) -> "version as of " + time;
    };
  }
}
