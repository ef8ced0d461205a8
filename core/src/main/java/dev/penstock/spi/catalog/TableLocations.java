package dev.penstock.spi.catalog;

import dev.penstock.advice.Advice;
import dev.penstock.advice.Remedy;
import dev.penstock.internal.table.Providers;
import dev.penstock.spi.storage.StorageOptions;
import dev.penstock.storage.Location;
import dev.penstock.storage.StorageException;
import java.util.HashSet;
import java.util.Optional;
import java.util.Set;
import java.util.function.Supplier;
import java.util.regex.Pattern;

/// The files that a table's metadata may name, and the storage options that go there.
///
/// Others write metadata, so what it names is not what the user named. The user's storage options
/// go to the origins of the table itself and of what locations are mapped to
/// ([dev.penstock.spi.storage.Storage#origin]); other origins get only what leads through the
/// network ([StorageOptions#elsewhere()]). In the metadata of a table that is not on this machine,
/// local files and names with `..` are refused unless a prefix of them is mapped. A local table may
/// name any local file.
///
/// Immutable.
public final class TableLocations {
  private static final Pattern UP =
      Pattern.compile("(?i)(?:^|[/\\\\]|%2f|%5c)(?:\\.|%2e){2}(?:$|[/\\\\]|%2f|%5c)");

  /// A scheme without `//` behind it. A colon may also be in the name of a file.
  private static final Pattern OPAQUE = Pattern.compile("(?s)([A-Za-z][A-Za-z0-9+.-]+):(?!//).*");

  private static final Pattern OPAQUE_PLACE = Pattern.compile("(?s)[^:]+:[/A-Za-z].*");

  private final Optional<String> table; // as the user named it
  private final LocationMap map;
  private final StorageOptions options;
  private final boolean isLocal;
  private final Set<String> origins = new HashSet<>(); // those that get the options

  private TableLocations(Optional<String> table, LocationMap map, StorageOptions options) {
    this.table = table;
    this.map = map;
    this.options = options;
    Optional<Location> home = table.map(map::apply).map(Location::new);
    this.isLocal = home.isPresent() && isLocal(home.get());
    home.ifPresent(this::add);
    for (LocationMap.Move move : map.moves()) {
      if (!move.isAnywhere()) {
        add(new Location(move.to()));
      }
    }
  }

  private void add(Location location) {
    try {
      origins.add(Providers.here().origin(location, options));
    } catch (IllegalArgumentException _) {
      // No store serves it, which reading it will say.
    }
  }

  /// {@return the locations of a table}
  ///
  /// @param table where the user, or the catalog that the user named, says that it is
  /// @param map the user's map of locations, also for the table's own
  /// @param options the user's storage options
  /// @throws IllegalArgumentException if a location contains a secret
  public static TableLocations of(String table, LocationMap map, StorageOptions options) {
    return new TableLocations(Optional.of(table), map, options);
  }

  /// {@return locations that a user, or the user's catalog, names: all are permitted, and get the
  /// options}
  ///
  /// @param map the user's map of locations
  /// @param options the user's storage options
  /// @throws IllegalArgumentException if a location contains a secret
  public static TableLocations named(LocationMap map, StorageOptions options) {
    return new TableLocations(Optional.empty(), map, options);
  }

  /// {@return the same for a table}
  ///
  /// @param place where the user, or the catalog that the user named, says that it is
  /// @throws IllegalArgumentException if the location contains a secret
  public TableLocations at(String place) {
    return new TableLocations(Optional.of(place), map, options);
  }

  /// {@return where a file is}
  ///
  /// @param path its name in the table's metadata
  /// @throws StorageException if the metadata must not name it
  /// @throws IllegalArgumentException if it contains a secret
  public Location find(String path) throws StorageException {
    return find(path, () -> path);
  }

  /// {@return where a file is}
  ///
  /// @param raw its name in the table's metadata
  /// @param resolved the name with the table's location before it, if it is relative; asked for
  ///   only if the name has a place
  /// @throws StorageException if the metadata must not name it
  /// @throws IllegalArgumentException if it contains a secret
  public Location find(String raw, Supplier<String> resolved) throws StorageException {
    if (map.of(raw).isEmpty()) {
      requireStore(raw);
    }
    String path = resolved.get();
    Optional<LocationMap.Move> move = map.of(path);
    Location location = new Location(map.apply(path));
    if (table.isEmpty() || isLocal) {
      return location;
    }
    boolean isUp =
        move.isPresent()
            ? isUp(move.get().rest(path))
            : isUp(belowTable(raw)) || isUp(belowTable(path));
    if (isUp) {
      throw refused(location.text(), "leads to another folder by '..'");
    }
    if (isLocal(location) && !move.map(each -> isBelow(each, path)).orElse(false)) {
      throw refused(location.text(), "is on this machine, but the table is not");
    }
    return location;
  }

  private void requireStore(String path) throws StorageException {
    var scheme = OPAQUE.matcher(path);
    if (scheme.matches()
        && !scheme.group(1).equalsIgnoreCase("file")
        && OPAQUE_PLACE.matcher(path).matches()) {
      boolean mayHaveSecret = path.indexOf('@') >= 0 || path.indexOf('?') >= 0;
      throw refused(
          mayHaveSecret ? scheme.group(1) + ":..." : path,
          "has the scheme '" + scheme.group(1) + ":', which no store serves");
    }
  }

  /// Returns a path without the user's own words in it.
  private String belowTable(String path) {
    String own = table.orElse("");
    String folder = own.substring(0, own.lastIndexOf('/') + 1);
    return path.startsWith(own)
        ? path.substring(own.length())
        : path.startsWith(folder) ? path.substring(folder.length()) : path;
  }

  private static boolean isUp(String path) {
    return (path.contains("..") || path.indexOf('%') >= 0) && UP.matcher(path).find();
  }

  /// Returns whether a file is in the folder that a prefix is mapped to, not in one beside it.
  private static boolean isBelow(LocationMap.Move move, String path) {
    String rest = move.rest(path);
    return move.isAnywhere() || move.to().endsWith("/") || rest.isEmpty() || rest.startsWith("/");
  }

  private static boolean isLocal(Location location) {
    return location.scheme().equals("file");
  }

  private StorageException refused(String path, String why) {
    return new StorageException(
        StorageException.Kind.REFUSED,
        Advice.of(
            "Cannot read '%s': it is named by the metadata of table '%s' and %s. If it is meant,"
                + " map a prefix of it to where it is, or to itself: %s.",
            path, table.orElse(""), why, Remedy.MAP_LOCATION),
        null);
  }

  /// {@return whether a place gets the user's options: it was named by the user, not only by the
  /// metadata}
  ///
  /// @param location a place, as [#find(String)] returns it
  public boolean isNamed(Location location) {
    if (table.isEmpty()) {
      return true;
    }
    try {
      return origins.contains(Providers.here().origin(location, options));
    } catch (IllegalArgumentException _) {
      return false; // no store serves it
    }
  }

  /// {@return the options for a place: the user's, or those of them that lead to any place}
  ///
  /// @param location a place, as [#find(String)] returns it
  public StorageOptions options(Location location) {
    return isNamed(location) ? options : options.elsewhere();
  }
}
