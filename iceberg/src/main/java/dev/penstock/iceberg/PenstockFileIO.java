package dev.penstock.iceberg;

import dev.penstock.iceberg.internal.files.TableFiles;
import dev.penstock.iceberg.internal.files.WholeFile;
import dev.penstock.spi.storage.StorageFile;
import dev.penstock.storage.Printable;
import dev.penstock.storage.StorageException;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.apache.iceberg.ManifestFile;
import org.apache.iceberg.exceptions.NotFoundException;
import org.apache.iceberg.io.FileIO;
import org.apache.iceberg.io.InputFile;
import org.apache.iceberg.io.OutputFile;
import org.apache.iceberg.io.SeekableInputStream;
import org.apache.iceberg.io.StorageCredential;
import org.apache.iceberg.io.SupportsStorageCredentials;
import org.jspecify.annotations.Nullable;

/// Iceberg's access to metadata and manifests, through the same stores and credentials as the data.
///
/// Public only because catalogs instantiate it by name (`io-impl`). It reads and never writes.
public final class PenstockFileIO implements FileIO, SupportsStorageCredentials {
  private static final long serialVersionUID = 1;
  private static final int BUFFER_BYTES = 1 << 20;

  @SuppressWarnings("serial") // a copy in a JDK map, which is serializable
  private Map<String, String> properties = Map.of();

  @SuppressWarnings("serial")
  private List<StorageCredential> credentials = List.of();

  private @Nullable String table; // where it is, once that is known

  private transient @Nullable TableFiles files;

  /// Makes it for catalogs; [#initialize] sets the rest.
  public PenstockFileIO() {}

  @Override
  public void initialize(Map<String, String> told) {
    properties = Map.copyOf(told);
    files = null;
  }

  @Override
  public Map<String, String> properties() {
    return properties;
  }

  @Override
  public synchronized void setCredentials(List<StorageCredential> granted) {
    credentials = List.copyOf(granted);
    files = null;
  }

  @Override
  public List<StorageCredential> credentials() {
    return credentials;
  }

  synchronized TableFiles files() {
    if (files == null) {
      files = TableFiles.of(properties);
      if (!credentials.isEmpty()) {
        files.grant(files.access().with(credentials));
      }
      if (table != null) {
        files.at(table);
      }
    }
    return files;
  }

  /// Says where the table is, see [TableFiles#at].
  synchronized void at(String place) {
    table = place;
    files().at(place);
  }

  @Override
  public InputFile newInputFile(String path) {
    return WholeFile.of(new Input(files(), Objects.requireNonNull(path)));
  }

  @Override
  public InputFile newInputFile(ManifestFile manifest) {
    if (manifest.keyMetadata() != null) {
      throw new IllegalArgumentException(
          "Cannot read '%s': it is encrypted. Encrypted tables cannot be read."
              .formatted(manifest.path()));
    }
    return WholeFile.of(new Input(files(), manifest.path()), manifest);
  }

  @Override
  public OutputFile newOutputFile(String path) {
    throw readsOnly(path);
  }

  @Override
  public void deleteFile(String path) {
    throw readsOnly(path);
  }

  private static UnsupportedOperationException readsOnly(String path) {
    return new UnsupportedOperationException(
        "Cannot write '" + path + "': Penstock reads tables and never changes them.");
  }

  private static RuntimeException unchecked(String path, IOException e) {
    return e instanceof StorageException store && store.kind() == StorageException.Kind.MISSING
        ? new NotFoundException(e, "%s", e.getMessage())
        : new UncheckedIOException(
            String.valueOf(e.getMessage()).startsWith("Cannot ")
                ? e.getMessage()
                : "Cannot read '" + Printable.of(path) + "': " + e.getMessage(),
            e);
  }

  /// A file as Iceberg sees it: it keeps the name from the table's metadata.
  private record Input(TableFiles files, String location) implements InputFile {
    @Override
    public long getLength() {
      try {
        return files.stat(location).bytes();
      } catch (IOException e) {
        throw unchecked(location, e);
      }
    }

    @Override
    public SeekableInputStream newStream() {
      try {
        return new Stream(files.open(location));
      } catch (IOException e) {
        throw unchecked(location, e);
      }
    }

    @Override
    public boolean exists() {
      try {
        return files.store(location).stat(files.location(location)).isPresent();
      } catch (IOException e) {
        throw unchecked(location, e);
      }
    }
  }

  /// The bytes of a file, some of them read ahead.
  private static final class Stream extends SeekableInputStream {
    private final StorageFile file;
    private final MemorySegment buffer; // garbage collected, because streams move between threads
    private long start; // the buffer holds [start, end) of the file
    private long end;
    private long next;

    Stream(StorageFile file) {
      this.file = file;
      this.buffer = Arena.ofAuto().allocate(Math.clamp(file.size(), 1, BUFFER_BYTES));
    }

    @Override
    public long getPos() {
      return next;
    }

    @Override
    public void seek(long position) {
      next = position;
    }

    @Override
    public int available() {
      return Math.clamp(file.size() - next, 0, Integer.MAX_VALUE);
    }

    @Override
    public int read() throws IOException {
      return fill() ? buffer.get(ValueLayout.JAVA_BYTE, next++ - start) & 0xFF : -1;
    }

    @Override
    public int read(byte[] target, int offset, int length) throws IOException {
      Objects.checkFromIndexSize(offset, length, target.length);
      if (length == 0) {
        return 0;
      }
      if (!fill()) {
        return -1;
      }
      int count = (int) Math.min(length, end - next);
      MemorySegment.copy(buffer, ValueLayout.JAVA_BYTE, next - start, target, offset, count);
      next += count;
      return count;
    }

    /// Ensures that the next byte is in the buffer.
    ///
    /// @return false at the end
    private boolean fill() throws IOException {
      if (next >= start && next < end) {
        return true;
      }
      if (next < 0 || next >= file.size()) {
        return false;
      }
      long count = Math.min(buffer.byteSize(), file.size() - next);
      file.read(next, buffer.asSlice(0, count));
      start = next;
      end = next + count;
      return true;
    }

    @Override
    public void close() throws IOException {
      file.close();
    }
  }
}
