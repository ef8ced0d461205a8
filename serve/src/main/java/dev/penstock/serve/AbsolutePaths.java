package dev.penstock.serve;

import dev.penstock.internal.request.LoadRequest.Dataset;
import dev.penstock.internal.request.LoadRequest.Table;
import dev.penstock.storage.Location;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/// Refuses relative paths in what a client asks for: the server's folder is not the client's, so
/// they would lead to other files.
///
/// `_paths.py` makes the same ones absolute.
final class AbsolutePaths {
  /// Catalogs whose warehouse is a folder. That of a REST catalog is a name.
  private static final Pattern FOLDER_CATALOG =
      Pattern.compile("(?i).*(jdbc|hadoop|hive)(catalog)?");

  private static final Pattern SURELY_PATH = Pattern.compile("(?is)\\.\\.?(/.*)?|file:.*");
  private static final Pattern NAMES_PATH =
      Pattern.compile("(?!header\\.)(.*[._-])?(file|path|folder|dir|directory)");

  /// A database that is a file with a relative name.
  private static final Pattern DATABASE =
      Pattern.compile(
          "(?is)(?:sqlite(?:\\+\\w+)?:///|jdbc:sqlite:(?:file:)?(?!file:)"
              + "|jdbc:(?:duckdb|h2|derby|hsqldb):(?:file:|directory:)?"
              + "(?!//|~|\\.?$|[a-z]{2,}:))(?![/:?]|$)([^?;]*).*");

  /// What a location begins with that is replaced by nothing.
  private static final Pattern NOTHING = Pattern.compile("(?i)(file:(//)?)?");

  private AbsolutePaths() {}

  /// Refuses relative paths in what is to be read, but not in sources of a mixture.
  ///
  /// @throws IllegalArgumentException if there is one
  static void require(Dataset dataset) {
    List<String> locations = dataset.files().locations();
    if (locations != null) {
      locations.forEach(each -> location("location", each));
    }
    String plan = dataset.decoding().plan();
    if (plan != null) {
      location("plan", plan);
    }
    storage(orNone(dataset.files().storage()));
    Table table = dataset.table();
    if (table != null) {
      if (table.metadata() != null) {
        location("metadata", table.metadata());
      }
      catalog(orNone(table.catalog()));
      moves(orNone(table.mapLocation()));
    }
  }

  /// Checks options of a store.
  static void storage(Map<String, String> options) {
    options.forEach((key, value) -> {
      if (key.endsWith("-file")) {
        file("storage option " + key, value);
      }
    });
  }

  private static Map<String, String> orNone(@Nullable Map<String, String> given) {
    return given == null ? Map.of() : given;
  }

  /// Returns a local path from the root, or a URI.
  ///
  /// @param field what it is, in errors
  /// @throws IllegalArgumentException if it is relative, or not a location
  static String location(String field, String text) {
    Location location = new Location(text);
    if (location.scheme().equals("file")) {
      file(field, location.text());
    }
    return text;
  }

  /// Returns the path of a file from the root.
  ///
  /// @throws IllegalArgumentException if it is relative
  static String file(String field, String path) {
    if (!path.startsWith("/")) {
      throw new IllegalArgumentException(
          ("Cannot use %s '%s': it is relative, but expected a path from the root, such as"
                  + " '/data/flights', or a URI: the server's folder is not the client's. Put the"
                  + " client's folder before it.")
              .formatted(field, path));
    }
    return path;
  }

  /// Checks options of a catalog, whose paths are from the root as far as they can be told.
  static void catalog(Map<String, String> options) {
    String kind = options.getOrDefault("type", options.getOrDefault("catalog-impl", ""));
    boolean hasFolder = FOLDER_CATALOG.matcher(kind).matches();
    options.forEach((key, value) -> {
      String field = "catalog option " + key;
      boolean isFolder = hasFolder && key.equals("warehouse");
      boolean isPath =
          isFolder || NAMES_PATH.matcher(key).matches() || SURELY_PATH.matcher(value).matches();
      Matcher database = DATABASE.matcher(value);
      if (isPath && !value.isBlank()) {
        location(field, value);
      } else if (database.matches()) {
        file(field, database.group(1)); // behind it may come a password
      }
    });
  }

  /// Checks where the files of a moved table are. The prefixes that are replaced are text of its
  /// metadata, of any form.
  static void moves(Map<String, String> moves) {
    moves.forEach((from, to) -> {
      if (!NOTHING.matcher(to).matches()) {
        location("mapLocation of " + from, to);
      }
    });
  }
}
