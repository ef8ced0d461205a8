package dev.penstock.avro;

import dev.penstock.format.MalformedFileException;
import dev.penstock.storage.Location;
import org.jspecify.annotations.Nullable;

/// The place in a file that errors name.
///
/// @param location the file
/// @param text more of the place, for example `block 3`
record Where(Location location, String text) {

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
