package dev.penstock.internal.hub;

import dev.penstock.internal.choice.Sentence;
import dev.penstock.internal.http.HttpCalls;
import dev.penstock.storage.Location;
import dev.penstock.storage.StorageException;
import java.nio.charset.StandardCharsets;
import java.util.Locale;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/// What a location in the Hub names: `hf://datasets/OWNER/NAME[@REVISION][/PATH]`,
/// `hf://models/...` likewise, or a model without `models/`.
///
/// @param kind `datasets` or `models`
/// @param repository owner and name
/// @param revision a branch, tag or commit; empty if the location names none
/// @param path in the repository, without slashes at its ends; empty for its root
/// @param root the location's text up to the path, with a slash at its end
/// @param isFolder whether the location says so itself: by a slash at its end, or as the root
/// @param isBare whether it ends with the repository or the revision, without a slash
record HubPath(
    String kind,
    String repository,
    Optional<String> revision,
    String path,
    String root,
    boolean isFolder,
    boolean isBare) {
  /// The branch with a data set's Parquet export, and how it is written in locations.
  static final String EXPORT = "refs/convert/parquet";

  static final String EXPORT_NAME = "~parquet";

  private static final String SCHEME = "hf://";
  private static final String MAIN = "main";
  private static final Pattern NAME = Pattern.compile("[A-Za-z0-9_][A-Za-z0-9._-]{0,95}");
  private static final Pattern COMMIT = Pattern.compile("[0-9a-f]{40}");

  /// Branches with slashes, which the Hub makes.
  private static final Pattern REFS =
      Pattern.compile("(refs/(?:convert/[A-Za-z0-9_-]+|pr/[0-9]+))(/.*)?");

  /// Reads a location.
  ///
  /// @throws StorageException if it names nothing in the Hub
  static HubPath of(Location location) throws StorageException {
    String text = location.text().substring(SCHEME.length());
    String kind = text.split("/", 2)[0];
    switch (kind) {
      case "datasets", "models" ->
          text = text.substring(Math.min(text.length(), kind.length() + 1));
      case "spaces", "buckets" ->
          throw HttpCalls.refused(
              "only data sets and models are read from the Hub, not " + kind + ". " + form());
      default -> kind = "models";
    }
    int owner = text.indexOf('/');
    int name = text.indexOf('/', owner + 1);
    int at = text.indexOf('@', owner + 1);
    int end = name < 0 ? text.length() : name;
    if (owner < 0 || at > end) {
      at = -1;
    }
    String repository = text.substring(0, at < 0 ? end : at);
    String[] names = repository.split("/", -1);
    if (names.length != 2 || !NAME.matcher(names[0]).matches() || !isName(names[1])) {
      throw HttpCalls.refused(
          "'" + repository + "' is no name of a repository in the Hub. " + form());
    }
    Optional<String> revision = Optional.empty();
    String path = text.substring(end);
    if (at >= 0) {
      String behind = text.substring(at + 1);
      Matcher refs = REFS.matcher(behind);
      int slash = behind.indexOf('/');
      String written =
          refs.matches() ? refs.group(1) : slash < 0 ? behind : behind.substring(0, slash);
      path = behind.substring(written.length());
      revision = Optional.of(revision(written));
    }
    boolean isFolder = path.isEmpty() || path.endsWith("/");
    String inner = path.replaceAll("^/|/$", "");
    requireUsual(inner);
    int rootLength = location.text().length() - path.length();
    return new HubPath(
        kind,
        repository,
        revision,
        inner,
        location.text().substring(0, rootLength) + "/",
        isFolder,
        path.isEmpty());
  }

  private static String form() {
    return "Write 'hf://datasets/OWNER/NAME/PATH', with '@REVISION' behind the name if need be.";
  }

  private static boolean isName(String name) {
    return NAME.matcher(name).matches() && !name.contains("..");
  }

  private static String revision(String written) throws StorageException {
    String revision = written.equals(EXPORT_NAME) ? EXPORT : written.replaceAll("(?i)%2f", "/");
    if (revision.isEmpty()
        || revision.contains("..")
        || revision.chars().anyMatch(c -> c <= ' ' || "~^:?*[\\".indexOf(c) >= 0)) {
      throw HttpCalls.refused("'" + written + "' is no name of a branch, tag or commit. " + form());
    }
    return revision;
  }

  /// Refuses a path that names nothing in a repository, or something outside of it.
  static void requireUsual(String path) throws StorageException {
    if (!path.isEmpty() && !isUsual(path)) {
      throw HttpCalls.refused(
          Sentence.of(
              "'%s' is no path in a repository: a name in it is empty, '.' or '..', or has a control"
                  + " character.",
              path));
    }
  }

  static boolean isUsual(String path) {
    for (String name : path.split("/", -1)) {
      if (name.isEmpty() || name.equals(".") || name.equals("..")) {
        return false;
      }
    }
    return path.chars().noneMatch(Character::isISOControl);
  }

  static boolean isCommit(String revision) {
    return COMMIT.matcher(revision).matches();
  }

  /// Returns whether it is what the Hub's Parquet export is in: the name of a data set alone, or
  /// the root of that branch.
  boolean isExport() {
    return path.isEmpty()
        && kind.equals("datasets")
        && (revision.isPresent() ? revision.get().equals(EXPORT) : isBare);
  }

  String revisionOrMain() {
    return revision.orElse(MAIN);
  }

  /// Returns the location of a file of the repository, as this location is written.
  Location file(String pathOfFile) {
    return new Location(root + pathOfFile);
  }

  /// Returns the path of the URL with the list of files below this folder at a commit.
  String tree(String commit) {
    return api() + "/tree/" + commit + (path.isEmpty() ? "" : "/" + encoded(path));
  }

  /// Returns the path of the URL that tells the commit of a revision.
  String commit(String revisionOfIt) {
    return api() + "/revision/" + segment(revisionOfIt);
  }

  private String api() {
    return "/api/" + kind + "/" + repository;
  }

  /// Returns the path of the URL of the bytes of this file.
  String resolve(String revisionOfIt) {
    return page() + "/resolve/" + segment(revisionOfIt) + "/" + encoded(path);
  }

  /// Returns the path of the URL of its page for people.
  String page() {
    return (kind.equals("datasets") ? "/datasets/" : "/") + repository;
  }

  private static String segment(String name) {
    return encoded(name).replace("/", "%2F");
  }

  /// Encodes all that RFC 3986 does not leave as it is, but for slashes.
  private static String encoded(String path) {
    StringBuilder encoded = new StringBuilder();
    for (byte each : path.getBytes(StandardCharsets.UTF_8)) {
      char c = (char) (each & 0xff);
      boolean isPlain = c < 128 && (Character.isLetterOrDigit(c) || "-._~/".indexOf(c) >= 0);
      encoded.append(isPlain ? "" + c : String.format(Locale.ROOT, "%%%02X", (int) c));
    }
    return encoded.toString();
  }
}
