package dev.penstock.storage;

import java.nio.file.Path;
import java.util.Locale;

/// The name of a file or folder in some store: a local path or a URI such as `s3://bucket/key`.
///
/// It is not a `java.net.URI`: object keys may hold any character, so nothing is decoded or
/// normalised. Immutable; compared by text.
///
/// @param text the location as given; a `file:` URI is turned into its path
public record Location(String text) implements Comparable<Location> {
  /// Checks and unwraps the text.
  ///
  /// @throws IllegalArgumentException if `text` is blank
  public Location {
    if (text.isBlank()) {
      throw new IllegalArgumentException("Cannot use '" + text + "' as a location: it is blank.");
    }
    if (text.regionMatches(true, 0, "file:", 0, 5)) {
      String path = text.substring(5);
      text = path.startsWith("//") ? path.substring(path.indexOf('/', 2)) : path;
    }
  }

  /// Returns the location of a local path.
  ///
  /// @param path a file or folder
  /// @return its location
  public static Location of(Path path) {
    return new Location(path.toString());
  }

  /// Returns the scheme of the location.
  ///
  /// @return the part before `://` in lower case, or `file` for a plain path
  public String scheme() {
    int at = text.indexOf("://");
    return at < 0 ? "file" : text.substring(0, at).toLowerCase(Locale.ROOT);
  }

  /// Returns the last name of the location.
  ///
  /// @return the text behind the last `/`, or all of it
  public String name() {
    return text.substring(text.lastIndexOf('/') + 1);
  }

  @Override
  public int compareTo(Location other) {
    return text.compareTo(other.text);
  }

  @Override
  public String toString() {
    return text;
  }
}
