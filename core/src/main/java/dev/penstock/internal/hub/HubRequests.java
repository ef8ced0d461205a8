package dev.penstock.internal.hub;

import dev.penstock.internal.choice.Sentence;
import dev.penstock.internal.http.HttpCalls;
import dev.penstock.spi.storage.FileEntry;
import dev.penstock.spi.storage.FilePage;
import dev.penstock.spi.storage.RangeBody;
import dev.penstock.spi.storage.RemoteRequests;
import dev.penstock.storage.Location;
import dev.penstock.storage.StorageException;
import java.io.IOException;
import java.net.URI;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/// Single requests to the Hub, without retries. Safe for any thread.
///
/// The version of a file is `COMMIT/OID`, the commit that its revision was when it was looked up,
/// and the hash of its contents. Bytes are read at that commit, whatever became of the branch.
final class HubRequests implements RemoteRequests {
  /// A list has 1,000 files a page.
  private static final int PAGES_MAX = 5_000;

  private static final int PLACES_MAX = 4_096;

  /// How a place answers whose address no longer holds.
  private static final Set<Integer> TOO_OLD = Set.of(301, 302, 303, 307, 308, 401, 403, 404, 410);

  private static final Pattern OID = Pattern.compile("(?:W/)?\"?([0-9a-f]{40}|[0-9a-f]{64})\"?");
  private static final Pattern NEXT =
      Pattern.compile("<[^<>?]*\\?([!-~&&[^<>]]{1,8192})>[^,<]*\\brel=\"?next\\b");

  private final Hub hub;

  /// Where the Hub redirected to for files' bytes, which holds for some time: the addresses are
  /// signed.
  private final Map<String, URI> places =
      Collections.synchronizedMap(
          new LinkedHashMap<>() {
            private static final long serialVersionUID = 1;

            @Override
            protected boolean removeEldestEntry(Map.Entry<String, URI> eldest) {
              return size() > PLACES_MAX;
            }
          });

  HubRequests(Hub hub) {
    this.hub = hub;
  }

  @Override
  public void close() {
    hub.close();
  }

  /// Looks up a file; what is none is taken for a folder, whose version is the commit.
  @Override
  public Optional<FileEntry> stat(Location location) throws IOException {
    HubPath path = HubPath.of(location);
    String revision = path.revisionOrMain();
    if (path.path().isEmpty()) {
      return Optional.of(folder(location, commit(path, revision)));
    }
    try (Hub.Answer answer = hub.head(path.resolve(revision))) {
      Optional<String> told = answer.header("x-repo-commit").filter(HubPath::isCommit);
      int status = answer.status();
      boolean isMissing = status == 404 && !isOfRepository(answer);
      if (!isMissing && status != 200 && !(Hub.isRedirect(status) && isSized(answer))) {
        throw hub.failure(answer, path, revision);
      }
      String commit = told.isPresent() ? told.get() : commit(path, revision);
      if (isMissing) {
        return Optional.of(folder(location, commit));
      }
      String oid = answer.header("x-linked-etag").or(() -> answer.header("etag")).orElse("");
      return Optional.of(new FileEntry(location, bytes(answer), false, commit + "/" + hash(oid)));
    }
  }

  /// Returns whether nothing is there because of the name or the revision of the repository.
  private static boolean isOfRepository(Hub.Answer answer) {
    String code = HubErrors.code(answer.headers());
    return !code.isEmpty() && !code.equals("EntryNotFound");
  }

  private static boolean isSized(Hub.Answer answer) {
    return answer.header("x-linked-size").isPresent();
  }

  private static long bytes(Hub.Answer answer) throws StorageException {
    String text =
        answer
            .header("x-linked-size")
            .or(() -> answer.headers().firstValue("content-length"))
            .orElse("");
    if (!text.matches("[0-9]{1,18}")) {
      throw HttpCalls.refused(
          "the Hub does not say how large it is. Name its folder, or check storage option"
              + " 'endpoint'.");
    }
    return Long.parseLong(text);
  }

  private static FileEntry folder(Location location, String commit) {
    return new FileEntry(location, 0, true, commit);
  }

  private static String hash(String tag) {
    Matcher matcher = OID.matcher(tag);
    return matcher.matches() ? matcher.group(1) : "";
  }

  private String commit(HubPath path, String revision) throws IOException {
    return HubPath.isCommit(revision)
        ? revision
        : TreePage.commit(
            hub.text(path.commit(revision) + "?expand%5B%5D=sha", path, revision).text());
  }

  /// Lists a folder at the commit of the first page; `from` is commit, number of the page, query.
  @Override
  public FilePage list(Location folder, String from, int most) throws IOException {
    HubPath path = HubPath.of(folder);
    String[] place = from.isEmpty() ? new String[0] : from.split(" ", 3);
    String commit = place.length == 0 ? commit(path, path.revisionOrMain()) : place[0];
    int number = place.length == 0 ? 1 : Integer.parseInt(place[1]);
    String query = place.length == 0 ? "recursive=true" : place[2];
    Hub.Text page = hub.text(path.tree(commit) + "?" + query, path, path.revisionOrMain());
    List<FileEntry> files = new ArrayList<>();
    for (TreePage.Entry entry : TreePage.entries(page.text())) {
      files.add(file(path, commit, entry));
    }
    // Only the query is used: the next page is asked for where the first one was.
    Optional<String> next =
        page.link().map(NEXT::matcher).filter(Matcher::find).map(link -> link.group(1));
    if (next.isPresent() && next.get().equals(query)) {
      throw HttpCalls.refused("the Hub's list leads back to where it was. Try again later.");
    }
    if (next.isPresent() && number >= PAGES_MAX) {
      throw HttpCalls.refused(
          Sentence.of("its list has more than %s pages. Name a folder in it.", PAGES_MAX));
    }
    return new FilePage(files, next.map(text -> commit + " " + (number + 1) + " " + text));
  }

  private static FileEntry file(HubPath folder, String commit, TreePage.Entry entry)
      throws StorageException {
    String start = folder.path().isEmpty() ? "" : folder.path() + "/";
    if (!HubPath.isUsual(entry.path()) || !entry.path().startsWith(start)) {
      throw HttpCalls.refused(
          Sentence.of(
              "the Hub's list has a file '%s', which cannot be below that folder. Check storage"
                  + " option 'endpoint'.",
              entry.path()));
    }
    return new FileEntry(
        folder.file(entry.path()), entry.bytes(), false, commit + "/" + hash(entry.oid()));
  }

  @Override
  public RangeBody open(FileEntry file, long offset, long length) throws IOException {
    HubPath path = HubPath.of(file.location());
    String[] version = file.version().split("/", 2);
    String revision = HubPath.isCommit(version[0]) ? version[0] : path.revisionOrMain();
    String url = path.resolve(revision);
    String range = "bytes=" + offset + "-" + (offset + length - 1);
    URI place = places.get(url);
    if (place != null) {
      Hub.Answer answer = hub.getElsewhere(place, range);
      try {
        if (isBytes(answer)) {
          return opened(answer);
        }
        if (!TOO_OLD.contains(answer.status())) {
          throw hub.failure(answer, path, revision);
        }
      } catch (IOException e) {
        answer.close();
        throw e;
      }
      answer.close();
      places.remove(url, place);
    }
    Hub.Answer answer = hub.get(url, range);
    try {
      String oid = version.length == 2 ? version[1] : "";
      String found = hash(answer.header("x-linked-etag").or(() -> own(answer)).orElse(""));
      if (!oid.isEmpty() && !found.isEmpty() && !found.equals(oid)) {
        throw StorageException.changed(found, oid);
      }
      if (!isBytes(answer)) {
        throw hub.failure(answer, path, revision);
      }
      RangeBody body = opened(answer);
      if (!answer.isHub()) {
        places.put(url, answer.from());
      }
      return body;
    } catch (IOException e) {
      answer.close();
      throw e;
    }
  }

  private static Optional<String> own(Hub.Answer answer) {
    return answer.isHub() && isBytes(answer)
        ? answer.headers().firstValue("etag")
        : Optional.empty();
  }

  private static boolean isBytes(Hub.Answer answer) {
    return answer.status() == 200 || answer.status() == 206;
  }

  private static RangeBody opened(Hub.Answer answer) throws StorageException {
    HttpCalls.requireNotCompressed(answer.headers());
    return answer.body();
  }
}
