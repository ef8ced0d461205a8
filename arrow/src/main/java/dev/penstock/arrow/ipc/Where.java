package dev.penstock.arrow.ipc;

import dev.penstock.format.MalformedFileException;
import dev.penstock.storage.Location;
import org.jspecify.annotations.Nullable;

/// The place in a file that errors name.
///
/// @param location the file
/// @param text more of the place, for example `record batch 3`
record Where(Location location, String text) {
  static Where batch(Location location, int batch) {
    return new Where(location, "record batch " + batch);
  }

  Where and(String more) {
    return new Where(location, text + ", " + more);
  }

  MalformedFileException fail(long offset, String sentence) {
    return fail(offset, sentence, null);
  }

  MalformedFileException fail(long offset, String sentence, @Nullable Throwable cause) {
    return new MalformedFileException(location, offset, text, sentence, cause);
  }
}
