package dev.penstock.options;

import java.nio.file.FileSystems;
import java.nio.file.Path;
import java.util.Objects;
import java.util.Optional;

/// What a loader notes of what it does.
///
/// @param timeline what happens when, see [LoaderOptions#record(boolean)]
/// @param stepDigests digests of the rows of steps, see [LoaderOptions#stepDigests(boolean)]
/// @param stepLog where these are written, see [LoaderOptions#stepLog(Path)]
public record Recording(boolean timeline, boolean stepDigests, Optional<Path> stepLog) {
  static final Recording DEFAULTS = new Recording(false, false, Optional.empty());

  /// Throws [IllegalArgumentException] if the log is not a file of this machine, or has no digests.
  public Recording {
    Objects.requireNonNull(stepLog, "stepLog must not be null.");
    if (stepLog.isPresent() && !stepLog.get().getFileSystem().equals(FileSystems.getDefault())) {
      throw new IllegalArgumentException(
          "stepLog must be a file of this machine, got '" + stepLog.get() + "'.");
    }
    if (stepLog.isPresent() && !stepDigests) {
      throw new IllegalArgumentException("stepLog needs stepDigests.");
    }
  }

  Recording withTimeline(boolean on) {
    return new Recording(on, stepDigests, stepLog);
  }

  Recording withStepDigests(boolean on) {
    return new Recording(timeline, on, on ? stepLog : Optional.empty());
  }

  Recording withStepLog(Path file) {
    return new Recording(
        timeline, true, Optional.of(Objects.requireNonNull(file, "stepLog must not be null.")));
  }
}
