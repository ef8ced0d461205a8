package dev.penstock.delta;

import dev.penstock.delta.internal.log.LogEngine;
import dev.penstock.delta.internal.log.TableFiles;
import dev.penstock.spi.storage.FileEntry;
import io.delta.kernel.Snapshot;
import io.delta.kernel.internal.DeltaHistoryManager;
import io.delta.kernel.internal.fs.Path;
import io.delta.kernel.internal.util.FileNames;
import java.io.IOException;
import java.nio.file.attribute.FileTime;
import java.time.Instant;
import java.util.List;
import java.util.Map;

/// When the versions of a table were written: as their commits say, else as the store says of the
/// commits' files.
///
/// @param name what the table is called in errors
record CommitTimes(String name, TableFiles files, LogEngine engine, Snapshot newest) {
  private static final String OWN_SINCE = "delta.inCommitTimestampEnablementTimestamp";

  /// Finds the version that was the newest at a time.
  ///
  /// @throws IllegalArgumentException if the log has no version of that time any more
  /// @throws IOException if neither the log nor the store tells times, or the log cannot be read
  long versionAt(Instant time) throws IOException {
    String log = newest.getPath() + "/_delta_log";
    long millis = FileTime.from(time).toMillis(); // the nearest number for times beyond
    if (!hasOwn(millis) && !isWrittenAtKnownTimes(log)) {
      throw new IOException(
          ("Cannot read Delta table '%s' as of %s: its log does not say when versions of"
                  + " that time were written (delta.enableInCommitTimestamps), and the store does"
                  + " not say when their files were. Choose a version by its number.")
              .formatted(name, time));
    }
    DeltaHistoryManager.Commit found = found(log, millis);
    if (found.getTimestamp() > millis) {
      throw new IllegalArgumentException(
          ("Cannot read Delta table '%s' as of %s: the first version in its log is"
                  + " version(%s) of %s. Choose that time or a later one.")
              .formatted(
                  name, time, found.getVersion(), Instant.ofEpochMilli(found.getTimestamp())));
    }
    return found.getVersion();
  }

  /// Returns the last version not after a time, else the first one that can be read.
  private DeltaHistoryManager.Commit found(String log, long millis) throws IOException {
    boolean isReadable = true;
    boolean isNewestForLater = true;
    boolean isFirstForEarlier = true;
    try {
      return DeltaHistoryManager.getActiveCommitAtTimestamp(
          engine,
          newest,
          new Path(log),
          millis,
          isReadable,
          isNewestForLater,
          isFirstForEarlier,
          List.of());
    } catch (RuntimeException e) {
      throw DeltaErrors.of(name, e);
    }
  }

  /// Returns whether commits of a time say it themselves.
  private boolean hasOwn(long millis) throws IOException {
    Map<String, String> properties = newest.getTableProperties();
    String since = properties.getOrDefault(OWN_SINCE, "0");
    try {
      return Boolean.parseBoolean(properties.get("delta.enableInCommitTimestamps"))
          && millis >= Long.parseLong(since);
    } catch (NumberFormatException e) {
      throw new IOException(
          ("Cannot read Delta table '%s' as of a time: its property %s is '%s' but should"
                  + " be milliseconds. Choose a version by its number.")
              .formatted(name, OWN_SINCE, since),
          e);
    }
  }

  private boolean isWrittenAtKnownTimes(String log) throws IOException {
    for (FileEntry file : files.list(log)) {
      if (FileNames.isCommitFile(file.location().name()) && file.modified().isEmpty()) {
        return false;
      }
    }
    return true;
  }
}
