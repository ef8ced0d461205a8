package dev.penstock.storage;

import dev.penstock.advice.Advice;
import dev.penstock.advice.Remedy;
import java.nio.file.Path;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/// The name of a file or folder in some store: a local path or a URI such as `s3://bucket/key`.
///
/// It is not a `java.net.URI`: object keys may hold any character, so nothing is decoded or
/// normalised. Immutable; compared by text.
///
/// @param text the location as given; a `file:` URI is turned into its path
public record Location(String text) implements Comparable<Location> {
  private static final Pattern FILE =
      Pattern.compile("(?is)file:(?://(?:localhost)?(?=/)|(?!//))(.*)");

  /// Throws [IllegalArgumentException] if `text` is blank, is a `file:` URI with the name of a
  /// machine, or contains secrets: a password before the host, or in an HTTP URL a user name, which
  /// may be a token, or a query.
  public Location {
    if (text.regionMatches(true, 0, "file:", 0, 5)) {
      text = pathOf(text);
    }
    if (text.isBlank()) {
      throw unusable(text, "location", "it is blank.");
    }
    refuseSecrets(text);
  }

  /// Returns the path of a `file:` URI.
  private static String pathOf(String uri) {
    Matcher path = FILE.matcher(uri);
    if (!path.matches()) {
      throw unusable(
          Printable.of(uri),
          "location",
          "what is between two slashes and the next one would be the name of a machine. Write three"
              + " slashes before a path from the root, as in 'file:///data', or the path alone.");
    }
    return path.group(1);
  }

  private static IllegalArgumentException unusable(String text, String as, String why) {
    return new IllegalArgumentException("Cannot use '" + text + "' as a " + as + ": " + why);
  }

  /// Locations appear in plans, states, logs and errors, so they must not contain secrets.
  private static void refuseSecrets(String text) {
    int authority = text.indexOf("://") + 3;
    if (authority < 3) {
      return;
    }
    String scheme = text.substring(0, authority);
    boolean http = scheme.toLowerCase(Locale.ROOT).startsWith("http");
    String host = text.substring(authority).split(http ? "[/?#]" : "/", 2)[0];
    int at = host.lastIndexOf('@');
    boolean password = host.lastIndexOf(':', at) >= 0;
    if (password || (http && at >= 0)) { // in other schemes it is a container, or part of a name
      throw new IllegalArgumentException(
          ("Cannot use a location with a " + (password ? "password" : "user") + " in it: '")
              + (scheme + "...@" + host.substring(at + 1))
              + "'. Give user and password as storage options"
              + (http ? ", or a token as 'bearer-token'." : "."));
    }
    int query = text.indexOf('?', authority);
    if (http && query >= 0) {
      throw Advice.argumentError(
          "Cannot use a location with a query in it: '%s?...'. Give what is behind the '?' as"
              + " %s, which is never printed.",
          text.substring(0, query), Remedy.storageOption("query"));
    }
  }

  /// {@return the location of a local path}
  ///
  /// @param path a file or folder
  public static Location of(Path path) {
    return new Location(path.toString());
  }

  /// {@return the path of a local file or folder, which need not exist}
  ///
  /// @param text a path or a `file:` URI
  /// @throws IllegalArgumentException if it is empty, is in a store, or begins with `~`, which only
  ///   a shell takes for the home folder
  public static Path local(String text) {
    if (text.isBlank()) {
      throw unusable(
          text,
          "local path",
          "it is empty, as from a variable that is not set. Name a file or folder.");
    }
    Location location = new Location(text);
    if (!location.scheme().equals("file")) {
      throw unusable(
          location.toString(),
          "local path",
          "it is in a store. Name a file or folder of this machine.");
    }
    if (location.text.startsWith("~")) {
      throw unusable(
          location.toString(),
          "local path",
          "a leading ~ is the home folder to a shell, but neither in quotes nor behind '='. Write"
              + " the path in full, or './"
              + location
              + "' for that name.");
    }
    return Path.of(location.text);
  }

  /// {@return the part before `://` in lower case, or `file` for a plain path}
  public String scheme() {
    int at = text.indexOf("://");
    return at < 0 ? "file" : text.substring(0, at).toLowerCase(Locale.ROOT);
  }

  /// {@return the last name: the text after the last `/`, or all of it}
  public String name() {
    return text.substring(text.lastIndexOf('/') + 1);
  }

  @Override
  public int compareTo(Location other) {
    return text.compareTo(other.text);
  }

  /// Returns the text for errors and logs, see [Printable]. Programs use [#text()].
  @Override
  public String toString() {
    return Printable.of(text);
  }
}
