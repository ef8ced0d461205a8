package dev.penstock.delta.internal.log;

import dev.penstock.spi.storage.FileEntry;
import io.delta.kernel.engine.FileReadRequest;
import io.delta.kernel.engine.FileSystemClient;
import io.delta.kernel.internal.util.Utils;
import io.delta.kernel.utils.CloseableIterator;
import io.delta.kernel.utils.FileStatus;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.attribute.FileTime;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/// Lists and reads the files of a log for Delta's library. Nothing is written.
record LogFiles(TableFiles files) implements FileSystemClient {
  /// Lists a file and those behind it in the order of names, in one folder.
  @Override
  public CloseableIterator<FileStatus> listFrom(String path) throws IOException {
    String parent = path.substring(0, path.lastIndexOf('/'));
    List<FileStatus> found = new ArrayList<>();
    String first = path.substring(parent.length() + 1);
    for (FileEntry entry : files.list(parent)) {
      String name = entry.location().name();
      if (name.compareTo(first) >= 0) {
        found.add(FileStatus.of(parent + "/" + name, entry.bytes(), millis(entry)));
      }
    }
    found.sort(Comparator.comparing(FileStatus::getPath));
    return Utils.toCloseableIterator(found.iterator());
  }

  /// Returns when a file was written; 0 if the store does not tell.
  private static long millis(FileEntry entry) {
    return entry.modified().map(time -> FileTime.from(time).toMillis()).orElse(0L);
  }

  @Override
  public String resolvePath(String path) {
    return path;
  }

  @Override
  public CloseableIterator<ByteArrayInputStream> readFiles(
      CloseableIterator<FileReadRequest> requests) {
    return requests.map(request -> {
      try {
        return new ByteArrayInputStream(
            files.bytes(request.getPath(), request.getStartOffset(), request.getReadLength()));
      } catch (IOException e) {
        throw new UncheckedIOException(e.getMessage(), e);
      }
    });
  }

  @Override
  public FileStatus getFileStatus(String path) throws IOException {
    return FileStatus.of(path, files.stat(path).bytes(), 0);
  }

  @Override
  public boolean mkdirs(String path) {
    throw new UnsupportedOperationException("Penstock writes no tables.");
  }

  @Override
  public boolean delete(String path) {
    throw new UnsupportedOperationException("Penstock writes no tables.");
  }

  @Override
  public void copyFileAtomically(String from, String to, boolean replace) {
    throw new UnsupportedOperationException("Penstock writes no tables.");
  }
}
