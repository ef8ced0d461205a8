package dev.penstock.score;

import dev.penstock.split.Rank;
import dev.penstock.storage.Location;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// Keeps two runs out of one local folder. It ends with the process that has it, however that ends.
///
/// Each rank locks a byte of its own, and shares the byte of its number of ranks: so ranks of one
/// world meet nobody, and nobody else does.
final class FolderLock implements AutoCloseable {
  private static final String NAME = "_score.lock";

  /// The folders that this process has locked. A second channel to the file must not be opened: on
  /// many systems closing it gives up the locks of the first.
  private static final Map<Path, Held> HELD = new HashMap<>();

  /// What this process has of a folder: locks of some ranks of a world.
  private record Held(FileChannel channel, int world, Map<Integer, FileLock> ranks) {}

  private final Path folder;
  private final Rank rank;

  private FolderLock(Path folder, Rank rank) {
    this.folder = folder;
    this.rank = rank;
  }

  /// Locks a folder for a rank.
  ///
  /// @throws IOException if another run has it, or files cannot be locked there
  static FolderLock of(Location location, Rank rank) throws IOException {
    Path folder = Location.local(location.text());
    Files.createDirectories(folder);
    folder = folder.toRealPath();
    synchronized (HELD) {
      Held held = HELD.get(folder);
      if (held == null) {
        held = lock(folder, location, rank);
        HELD.put(folder, held);
      } else if (held.world() != rank.count() || held.ranks().containsKey(rank.index())) {
        throw isTaken(location);
      } else {
        FileLock lock = held.channel().tryLock(rank.index(), 1, false);
        if (lock == null) {
          throw isTaken(location);
        }
        held.ranks().put(rank.index(), lock);
      }
    }
    return new FolderLock(folder, rank);
  }

  private static Held lock(Path folder, Location location, Rank rank) throws IOException {
    FileChannel channel =
        FileChannel.open(
            folder.resolve(NAME),
            StandardOpenOption.CREATE,
            StandardOpenOption.READ,
            StandardOpenOption.WRITE);
    try {
      long worlds = Rank.COUNT_MAX; // the bytes of ranks are before these
      long world = worlds + rank.count();
      FileLock own = channel.tryLock(rank.index(), 1, false);
      if (own == null
          || channel.tryLock(world, 1, true) == null
          || isTaken(channel, worlds, world)
          || isTaken(channel, world + 1, worlds + Rank.COUNT_MAX + 1)) {
        throw isTaken(location);
      }
      return new Held(channel, rank.count(), new HashMap<>(Map.of(rank.index(), own)));
    } catch (Throwable e) {
      channel.close();
      throw e;
    }
  }

  /// Returns whether another process has some of the bytes `[from, to)`.
  private static boolean isTaken(FileChannel channel, long from, long to) throws IOException {
    @Nullable FileLock lock = from == to ? null : channel.tryLock(from, to - from, false);
    if (lock != null) {
      lock.release();
    }
    return lock == null && from < to;
  }

  private static IOException isTaken(Location folder) {
    return new IOException(
        "Cannot write scores to '"
            + folder
            + "': another run is at work there. Wait for it, or end it; where several processes"
            + " share the work, give each its rank.");
  }

  @Override
  public void close() throws IOException {
    synchronized (HELD) {
      Held held = HELD.get(folder);
      if (held != null && held.ranks().containsKey(rank.index())) {
        if (held.ranks().size() == 1) {
          HELD.remove(folder);
          held.channel().close();
        } else {
          held.ranks().remove(rank.index()).release();
        }
      }
    }
  }
}
