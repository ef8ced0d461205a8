package dev.penstock.internal.dataset;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import dev.penstock.internal.cache.CacheFolder;
import dev.penstock.internal.cache.FolderAccess;
import dev.penstock.internal.fetch.FooterReads;
import dev.penstock.internal.fetch.FooterReads.Malformed;
import dev.penstock.internal.fetch.VirtualThreads;
import dev.penstock.internal.table.Discovery.Listing;
import dev.penstock.internal.table.FooterMemory;
import dev.penstock.internal.table.FoundFile;
import dev.penstock.internal.table.TableFile;
import dev.penstock.spi.storage.FileEntry;
import dev.penstock.split.ByteSize;
import dev.penstock.storage.Location;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/// What was found of a dataset, and read: the files, and the footers of those that were wanted. Any
/// thread may use it.
final class Footers {
  /// Where decoded columns are kept, how many of their bytes, and for whom.
  record Cache(Path folder, ByteSize limit, FolderAccess access) {}

  private final Origin origin;
  private final Optional<Cache> cache;
  private final boolean isChecked;
  private final FooterMemory memory = new FooterMemory(new VirtualThreads());

  @GuardedBy("this")
  private @Nullable CacheFolder opened;

  @GuardedBy("this")
  private @Nullable Listing listed;

  @GuardedBy("this")
  private final Map<Location, TableFile> read = new HashMap<>();

  private Footers(Origin origin, Optional<Cache> cache, boolean isChecked) {
    this.origin = origin;
    this.cache = cache;
    this.isChecked = isChecked;
  }

  Footers(Origin origin) {
    this(origin, Optional.empty(), false);
  }

  Origin origin() {
    return origin;
  }

  /// Returns the same, or what another origin leads to: nothing of it was read yet.
  Footers of(Origin changed) {
    return changed.equals(origin) ? this : new Footers(changed, cache, isChecked);
  }

  Footers with(Cache changed) {
    return new Footers(origin, Optional.of(changed), isChecked);
  }

  /// Returns the same with all checks of what formats and stores give, or without.
  Footers checked(boolean all) {
    return new Footers(origin, cache, all);
  }

  @GuardedBy("this")
  private FoundFile withCache(FoundFile file) throws IOException {
    if (cache.isEmpty()) {
      return file;
    }
    CacheFolder known = opened;
    if (known == null) {
      Cache wanted = cache.get();
      known = CacheFolder.open(wanted.folder(), wanted.limit(), wanted.access());
      opened = known;
    }
    return file.with(known);
  }

  synchronized Listing listed() throws IOException {
    if (listed == null) {
      listed = origin instanceof Origin.Folders folders ? folders.listing() : Listing.NONE;
    }
    return listed;
  }

  /// Returns whether the others are of the same files, in the same versions.
  boolean hasSameFiles(Footers other) throws IOException {
    List<FoundFile> files = listed().files();
    List<FoundFile> others = other.listed().files();
    boolean same = files.size() == others.size();
    for (int i = 0; same && i < files.size(); i++) {
      same = isSame(files.get(i).entry(), others.get(i).entry());
    }
    return same;
  }

  /// Where a store tells no version, the time counts.
  private static boolean isSame(FileEntry file, FileEntry other) {
    boolean isTold = !file.version().isEmpty() || file.modified().isPresent();
    return isTold && file.equals(other) && file.modified().equals(other.modified());
  }

  /// Returns the footers of some of the files; each is read once, unless it is malformed.
  synchronized List<TableFile> read(List<FoundFile> wanted, Malformed malformed)
      throws IOException {
    List<FoundFile> missing = new ArrayList<>();
    for (FoundFile file : wanted) {
      if (!read.containsKey(file.entry().location())) {
        missing.add(withCache(isChecked ? file.checked() : file));
      }
    }
    List<TableFile> added = FooterReads.readAll(missing, memory, malformed);
    for (TableFile file : added) {
      read.put(file.info().location(), file);
    }
    List<TableFile> files = new ArrayList<>();
    for (FoundFile file : wanted) {
      TableFile good = read.get(file.entry().location());
      if (good != null) {
        files.add(good);
      }
    }
    return files;
  }
}
