package dev.penstock.orc;

import dev.penstock.format.MalformedFileException;
import dev.penstock.storage.Location;
import org.jspecify.annotations.Nullable;

/// The place in a file that errors name.
///
/// @param location the file
/// @param text more of the place, for example `stripe 3`
record Where(Location location, String text) {
  static Where tail(Location location) {
    return new Where(location, "file tail");
  }

  static Where stripe(Location location, int stripe) {
    return new Where(location, "stripe " + stripe);
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

  /// Says what orc-core stumbled over.
  MalformedFileException corrupt(String what, Throwable cause) {
    Throwable root = cause;
    while (root.getCause() != null) {
      root = root.getCause();
    }
    String found = root.getMessage() == null ? root.getClass().getSimpleName() : root.getMessage();
    return fail(-1, "Corrupt ORC file: " + what + " cannot be decoded (" + found + ").", cause);
  }
}
