package dev.penstock.internal.table;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import dev.penstock.spi.storage.FileEntry;
import dev.penstock.spi.storage.StorageFile;
import dev.penstock.storage.Location;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.util.function.LongConsumer;
import org.jspecify.annotations.Nullable;

/// A file that is opened when its bytes are first wanted: perhaps they are in a cache.
public class LateFile implements StorageFile {
  private final FileEntry entry;
  private final Opener opener;

  @GuardedBy("this")
  private @Nullable StorageFile opened;

  public interface Opener {
    StorageFile open() throws IOException;
  }

  public LateFile(FileEntry entry, Opener opener) {
    this.entry = entry;
    this.opener = opener;
  }

  protected final synchronized StorageFile opened() throws IOException {
    StorageFile known = opened;
    if (known == null) {
      known = opener.open();
      opened = known;
    }
    return known;
  }

  /// Returns the open file, or null until its bytes are wanted.
  protected final synchronized @Nullable StorageFile known() {
    return opened;
  }

  @Override
  public Location location() {
    return entry.location();
  }

  @Override
  public long size() {
    return entry.bytes();
  }

  @Override
  public String version() {
    return entry.version();
  }

  @Override
  public long read(long offset, MemorySegment target) throws IOException {
    return opened().read(offset, target);
  }

  @Override
  public long read(long offset, MemorySegment target, LongConsumer arrived) throws IOException {
    return opened().read(offset, target, arrived);
  }

  @Override
  public synchronized long retries() {
    return opened == null ? 0 : opened.retries();
  }

  @Override
  public synchronized void close() throws IOException {
    StorageFile known = opened;
    if (known != null) {
      known.close();
    }
  }
}
