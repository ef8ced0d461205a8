package dev.penstock.internal.table;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import dev.penstock.spi.storage.StorageFile;
import dev.penstock.split.DataFileInfo;
import dev.penstock.storage.Location;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.util.function.LongConsumer;
import org.jspecify.annotations.Nullable;

/// A file that is opened when its bytes are first wanted: perhaps all of its rows are in a cache.
final class LateFile implements StorageFile {
  private final DataFileInfo info;
  private final String version;
  private final Opener opener;

  @GuardedBy("this")
  private @Nullable StorageFile opened;

  interface Opener {
    StorageFile open() throws IOException;
  }

  LateFile(DataFileInfo info, String version, Opener opener) {
    this.info = info;
    this.version = version;
    this.opener = opener;
  }

  private synchronized StorageFile opened() throws IOException {
    StorageFile known = opened;
    if (known == null) {
      known = opener.open();
      opened = known;
    }
    return known;
  }

  @Override
  public Location location() {
    return info.location();
  }

  @Override
  public long size() {
    return info.bytes();
  }

  @Override
  public String version() {
    return version;
  }

  @Override
  public void read(long offset, MemorySegment target) throws IOException {
    opened().read(offset, target);
  }

  @Override
  public void read(long offset, MemorySegment target, LongConsumer arrived) throws IOException {
    opened().read(offset, target, arrived);
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
