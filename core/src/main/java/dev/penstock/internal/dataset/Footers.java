package dev.penstock.internal.dataset;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import dev.penstock.internal.cache.CacheFolder;
import dev.penstock.internal.cache.FolderAccess;
import dev.penstock.internal.dataset.DatasetSource.Saved;
import dev.penstock.internal.fetch.FooterReads;
import dev.penstock.internal.fetch.FooterReads.Malformed;
import dev.penstock.internal.fetch.VirtualThreads;
import dev.penstock.internal.planfile.PlanOrigin;
import dev.penstock.internal.planfile.TablePlan;
import dev.penstock.internal.table.Discovery.Listing;
import dev.penstock.internal.table.FooterMemory;
import dev.penstock.internal.table.FoundFile;
import dev.penstock.internal.table.Providers;
import dev.penstock.internal.table.TableFile;
import dev.penstock.schema.Schema;
import dev.penstock.spi.storage.FileEntry;
import dev.penstock.spi.storage.Storage;
import dev.penstock.spi.storage.StorageOptions;
import dev.penstock.split.ByteSize;
import dev.penstock.storage.Location;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/// What was found of a dataset, and read: the files, and the footers of those that were wanted. Any
/// thread may use it.
final class Footers {
  /// Where decoded columns are kept, how many of their bytes, and for whom.
  record Cache(Path folder, ByteSize limit, FolderAccess access) {}

  private static final Malformed FAIL =
      (_, error) -> {
        throw error;
      };

  private final Origin origin;
  private final Optional<Cache> cache;
  private final boolean isChecked;
  private final Optional<Location> planAt;
  private final FooterMemory memory = new FooterMemory(new VirtualThreads());

  @GuardedBy("this")
  private @Nullable CacheFolder opened;

  @GuardedBy("this")
  private @Nullable Listing listed;

  @GuardedBy("this")
  private @Nullable OpenPlan plan;

  @GuardedBy("this")
  private final Map<Location, TableFile> read = new HashMap<>();

  private Footers(
      Origin origin, Optional<Cache> cache, boolean isChecked, Optional<Location> planAt) {
    this.origin = origin;
    this.cache = cache;
    this.isChecked = isChecked;
    this.planAt = planAt;
  }

  Footers(Origin origin) {
    this(origin, Optional.empty(), false, Optional.empty());
  }

  Origin origin() {
    return origin;
  }

  /// Returns the same, or what another origin leads to: nothing of it was read yet.
  Footers of(Origin changed) {
    return changed.equals(origin) ? this : new Footers(changed, cache, isChecked, planAt);
  }

  Footers with(Cache changed) {
    return new Footers(origin, Optional.of(changed), isChecked, planAt);
  }

  /// Returns the same with all checks of what formats and stores give, or without.
  Footers checked(boolean all) {
    return new Footers(origin, cache, all, planAt);
  }

  boolean isPlanned() {
    return planAt.isPresent();
  }

  Footers withoutPlan() {
    return planAt.isEmpty() ? this : new Footers(origin, cache, isChecked, Optional.empty());
  }

  /// Returns the same with a plan, or with one of the plans in a folder, in place of footers.
  Footers with(Location place) {
    return new Footers(origin, cache, isChecked, Optional.of(place));
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
      listed =
          !(origin instanceof Origin.Folders folders)
              ? Listing.NONE
              : planAt.isEmpty() || place(planAt.get(), List.of()).isFolder()
                  ? folders.listing()
                  : plan(List.of()).listing(folders);
    }
    return listed;
  }

  /// Returns all files in path order, whatever is wanted of them.
  private List<FoundFile> all() throws IOException {
    return origin instanceof Origin.Catalog catalog
        ? catalog.sorted(catalog.table().files(Optional.empty()).files())
        : listed().files();
  }

  /// @param files some of the dataset's, whose store a catalog's table shares with the plan
  private PlanPlace place(Location location, List<FoundFile> files) {
    Storage store =
        origin instanceof Origin.Folders folders
            ? folders.providers().store(location, folders.storage())
            : files.stream()
                .limit(1)
                .map(FoundFile::storage)
                .filter(each -> each.schemes().contains(location.scheme()))
                .findFirst()
                .orElseGet(() -> Providers.here().store(location, StorageOptions.NONE));
    return new PlanPlace(location, store);
  }

  /// Returns the plan, which is made if it is to be in a folder and is not there.
  @GuardedBy("this")
  private OpenPlan plan(List<FoundFile> some) throws IOException {
    OpenPlan known = plan;
    if (known == null) {
      PlanPlace place = place(planAt.orElseThrow(), some);
      if (place.isFolder()) {
        List<FoundFile> all = all();
        PlanOrigin of = planned(all);
        PlanPlace file = place.of(TablePlan.hash(of, all));
        known = file.find().orElse(null);
        if (known == null) {
          boolean _ = create(file, of, all, PlanWishes.NONE);
          known = file.open();
        }
      } else {
        known = place.open();
      }
      known.require(origin);
      plan = known;
    }
    return known;
  }

  private PlanOrigin planned(List<FoundFile> all) {
    return origin.planned(origin instanceof Origin.Folders ? all.getFirst().format().name() : "");
  }

  /// Writes a plan of all files, unless there is one. Returns whether it was written.
  @GuardedBy("this")
  private boolean create(PlanPlace place, PlanOrigin of, List<FoundFile> all, PlanWishes wishes)
      throws IOException {
    readMissing(all, FAIL);
    List<TableFile> files = new ArrayList<>();
    for (FoundFile file : all) {
      files.add(Objects.requireNonNull(read.get(file.entry().location())));
    }
    files.sort(Comparator.comparing(file -> TablePlan.full(file.location())));
    return place.create(
        TablePlan.of(of.with(wishes.statistics(), wishes.condition()), all, files),
        TablePlan.details(files, wishes.matches(files)));
  }

  /// Writes a plan of all files with what is wished for, unless there is one.
  synchronized Saved save(Location location, PlanWishes wishes) throws IOException {
    List<FoundFile> all = all();
    PlanOrigin of = planned(all);
    String hash = TablePlan.hash(of, all);
    PlanPlace place = place(location, all).of(hash);
    Optional<OpenPlan> there = place.find();
    boolean isNew = there.isEmpty() && create(place, of, all, wishes);
    if (!isNew) {
      OpenPlan other = there.isPresent() ? there.get() : place.open();
      other.requireSame(hash, wishes);
    }
    return new Saved(place.location(), isNew);
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

  @GuardedBy("this")
  private List<FoundFile> missing(List<FoundFile> wanted) throws IOException {
    List<FoundFile> missing = new ArrayList<>();
    for (FoundFile file : wanted) {
      if (!read.containsKey(file.entry().location())) {
        missing.add(withCache(isChecked ? file.checked() : file));
      }
    }
    return missing;
  }

  @GuardedBy("this")
  private void readMissing(List<FoundFile> wanted, Malformed malformed) throws IOException {
    for (TableFile file : FooterReads.readAll(missing(wanted), memory, malformed)) {
      read.put(file.info().location(), file);
    }
  }

  /// Returns files as their catalog states them. Footers are read of those of which it states too
  /// little, and of the first, as a hint of what is in the others.
  ///
  /// @param table the columns of the table
  synchronized List<TableFile> stated(List<FoundFile> files, Schema table) throws IOException {
    List<FoundFile> unknown = new ArrayList<>();
    for (FoundFile file : files) {
      if (unknown.isEmpty() || !file.isStated()) {
        unknown.add(file);
      }
    }
    readMissing(unknown, FAIL);
    List<TableFile> known = new ArrayList<>();
    for (FoundFile file : files) {
      TableFile good = read.get(file.entry().location());
      known.add(good == null ? TableFile.stated(file, table, memory) : good);
    }
    return known;
  }

  /// Returns the footers of some of the files; each is read once, unless it is malformed.
  synchronized List<TableFile> read(List<FoundFile> wanted, Malformed malformed)
      throws IOException {
    if (planAt.isEmpty() || wanted.isEmpty()) {
      readMissing(wanted, malformed);
    } else {
      OpenPlan known = plan(wanted);
      for (FoundFile file : missing(wanted)) {
        read.put(file.entry().location(), known.planned(file, memory));
      }
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
