package dev.penstock.internal.hub;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import dev.penstock.spi.storage.FileEntry;
import dev.penstock.spi.storage.Storage;
import dev.penstock.spi.storage.StorageFile;
import dev.penstock.spi.storage.StorageOptions;
import dev.penstock.storage.Location;
import dev.penstock.storage.StorageException;
import java.io.IOException;
import java.lang.ref.SoftReference;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/// The Hub as a store: folders at one commit, and data sets by their name alone.
///
/// Whoever opens a dataset asks what is at a location, whether a table is there, and lists it. All
/// of that is answered from one list, which is kept for ten seconds or until it is taken. So a
/// folder takes two requests, further pages aside, and all its files are of one commit.
final class HubFiles implements Storage {
  private static final long KEPT_NANOS = 10_000_000_000L;
  private static final int KEPT_MAX = 8;

  private final Storage requests;
  private final StorageOptions options;
  private final LongSupplier nanos;

  /// The files below folders, whose names end in a slash.
  @GuardedBy("kept")
  private final Map<String, Kept> kept = new LinkedHashMap<>();

  private record Kept(SoftReference<List<FileEntry>> files, long since) {}

  HubFiles(Storage requests, StorageOptions options, LongSupplier nanos) {
    this.requests = requests;
    this.options = options;
    this.nanos = nanos;
  }

  @Override
  public List<String> schemes() {
    return requests.schemes();
  }

  @Override
  public Set<String> optionKeys() {
    return requests.optionKeys();
  }

  @Override
  public Storage with(StorageOptions changed) {
    return requests.with(changed);
  }

  /// Looks up a file or a folder. What has a wildcard in its name is taken for a glob, and not
  /// looked up.
  @Override
  public Optional<FileEntry> stat(Location location) throws IOException {
    if (location.text().chars().anyMatch(c -> "*?[{".indexOf(c) >= 0)) {
      return Optional.empty();
    }
    Optional<HubPath> parsed = parsed(location);
    if (parsed.isEmpty()) {
      return requests.stat(location); // which says what is wrong
    }
    HubPath path = parsed.get();
    Location folder = folder(path, location);
    Optional<Optional<FileEntry>> known = known(folder, location);
    if (known.isPresent()) {
      return known.get();
    }
    if (!path.isExport()) {
      HubExport.refuseChoice(options, location);
    }
    String commit = "";
    if (!path.isFolder()) {
      FileEntry entry = requests.stat(location).orElseThrow();
      if (!entry.folder()) {
        return Optional.of(entry);
      }
      commit = entry.version();
    }
    Optional<List<FileEntry>> files = listed(folder, commit).filter(found -> !found.isEmpty());
    files.ifPresent(found -> keep(folder, found));
    return files.map(_ -> FileEntry.folder(withoutSlash(folder, path)));
  }

  private static Optional<HubPath> parsed(Location location) {
    try {
      return Optional.of(HubPath.of(location));
    } catch (StorageException _) {
      return Optional.empty();
    }
  }

  /// Returns the name of a folder with a slash at its end; the export with its revision.
  private static Location folder(HubPath path, Location location) {
    String text = location.text();
    if (path.isExport() && path.revision().isEmpty()) {
      text += "@" + HubPath.EXPORT_NAME;
    }
    return new Location(text.endsWith("/") ? text : text + "/");
  }

  /// Returns the folder as it was asked for: files of a folder begin with its name.
  private static Location withoutSlash(Location folder, HubPath path) {
    String text = folder.text();
    return path.isFolder() ? folder : new Location(text.substring(0, text.length() - 1));
  }

  /// Returns what kept lists tell of a location: nothing, that nothing is there, or what is.
  private Optional<Optional<FileEntry>> known(Location folder, Location location) {
    synchronized (kept) {
      for (String root : List.copyOf(kept.keySet())) {
        List<FileEntry> files = fresh(root);
        if (files != null && folder.text().startsWith(root)) {
          return Optional.of(within(files, folder, location));
        }
      }
    }
    return Optional.empty();
  }

  private static Optional<FileEntry> within(
      List<FileEntry> files, Location folder, Location location) {
    for (FileEntry file : files) {
      if (file.location().equals(location)) {
        return Optional.of(file);
      }
      if (file.location().text().startsWith(folder.text())) {
        boolean isNamed = folder.text().length() == location.text().length() + 1;
        return Optional.of(FileEntry.folder(isNamed ? location : folder));
      }
    }
    return Optional.empty();
  }

  @GuardedBy("kept")
  private @Nullable List<FileEntry> fresh(String root) {
    Kept found = kept.get(root);
    if (found == null) {
      return null;
    }
    List<FileEntry> files = found.files.get();
    if (files == null || nanos.getAsLong() - found.since > KEPT_NANOS) {
      kept.remove(root);
      return null;
    }
    return files;
  }

  private void keep(Location folder, List<FileEntry> files) {
    synchronized (kept) {
      kept.remove(folder.text());
      if (kept.size() >= KEPT_MAX) {
        kept.remove(kept.keySet().iterator().next());
      }
      kept.put(folder.text(), new Kept(new SoftReference<>(files), nanos.getAsLong()));
    }
  }

  @Override
  public List<FileEntry> list(Location location) throws IOException {
    Optional<HubPath> path = parsed(location);
    if (path.isEmpty()) {
      return requests.list(location); // which says what is wrong
    }
    Location folder = folder(path.get(), location);
    synchronized (kept) {
      List<FileEntry> files = fresh(folder.text());
      kept.remove(folder.text());
      if (files != null) {
        return files;
      }
    }
    return listed(folder, "").orElse(List.of());
  }

  /// Lists a folder at a commit; empty if there is none.
  private Optional<List<FileEntry>> listed(Location folder, String commit) throws IOException {
    HubPath path = HubPath.of(folder);
    try {
      if (path.isExport()) {
        return Optional.of(HubExport.of(folder, options, requests));
      }
      if (commit.isEmpty()) {
        return Optional.of(requests.list(folder));
      }
      String root = "hf://" + path.kind() + "/" + path.repository() + "@" + commit + "/";
      List<FileEntry> files = new ArrayList<>();
      for (FileEntry file : requests.list(new Location(root + path.path() + "/"))) {
        files.add(
            new FileEntry(
                path.file(file.location().text().substring(root.length())),
                file.bytes(),
                false,
                file.version()));
      }
      return Optional.of(files);
    } catch (StorageException e) {
      if (e.kind() == StorageException.Kind.MISSING) {
        return Optional.empty();
      }
      throw e;
    }
  }

  /// Names the main branch, so that a file named with it and without it is one.
  @Override
  public Location canonical(Location file) throws IOException {
    HubPath path = HubPath.of(file);
    return new Location(
        "hf://"
            + path.kind()
            + "/"
            + path.repository()
            + "@"
            + path.revisionOrMain()
            + "/"
            + path.path());
  }

  @Override
  public StorageFile open(Location location) throws IOException {
    return requests.open(location);
  }

  @Override
  public StorageFile open(FileEntry file) throws IOException {
    return requests.open(file);
  }

  @Override
  public boolean create(Location file, byte[] content) throws IOException {
    return requests.create(file, content);
  }

  @Override
  public String toString() {
    return requests.toString();
  }
}
