package dev.penstock.internal.local;

import dev.penstock.spi.storage.StorageFile;
import dev.penstock.storage.Location;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Map;

/// A local file, read by position through one channel.
///
/// Files are read, not mapped: if a mapped file shrinks, the JVM crashes, while a read throws an
/// exception. Interrupting a reading thread would close the channel.
record LocalFile(Location location, FileChannel channel, long size, String version)
    implements StorageFile {
  /// One read call takes at most this many bytes; a ByteBuffer cannot view more than 2 GiB.
  private static final long READ_BYTES_MAX = 1L << 30;

  private static final String TIMES =
      FileSystems.getDefault().supportedFileAttributeViews().contains("unix")
          ? "unix:lastModifiedTime,ctime"
          : "lastModifiedTime";

  static LocalFile open(Location location, Path path) throws IOException {
    FileChannel channel = FileChannel.open(path, StandardOpenOption.READ);
    try {
      return new LocalFile(location, channel, channel.size(), version(path));
    } catch (IOException e) {
      channel.close();
      throw e;
    }
  }

  /* A version is the time of the last change of the contents, which everybody can set, and what
   * tells files of one size and time apart: a link may lead to another file, and a file that was
   * replaced, or whose time was set, has another time of change (ctime). The number of the inode
   * is left out: some file systems in user space give a file another one from time to time. */
  private static String version(Path path) throws IOException {
    Map<String, Object> times = Files.readAttributes(path, TIMES);
    Object changed = times.get("ctime");
    return times.get("lastModifiedTime")
        + HERE
        + (changed == null ? "" : "changed " + changed + ", ")
        + "at "
        + path.toRealPath();
  }

  @Override
  public long read(long offset, MemorySegment target) throws IOException {
    long done = 0;
    while (done < target.byteSize()) {
      long length = Math.min(READ_BYTES_MAX, target.byteSize() - done);
      ByteBuffer buffer = target.asSlice(done, length).asByteBuffer();
      int count = channel.read(buffer, offset + done);
      if (count < 0) {
        throw new IOException(
            "Cannot read bytes ["
                + offset
                + ", "
                + (offset + target.byteSize())
                + ") of '"
                + location
                + "': the file ends at "
                + (offset + done)
                + ". It was cut or replaced while it was read; start the epoch again.");
      }
      done += count;
    }
    return done;
  }

  @Override
  public void close() throws IOException {
    channel.close();
  }
}
