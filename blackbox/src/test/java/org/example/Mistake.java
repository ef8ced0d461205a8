package org.example;

import dev.penstock.spi.format.ColumnSlice;
import dev.penstock.spi.format.ColumnStatistics;
import dev.penstock.spi.format.FileMetadata;
import dev.penstock.spi.format.PageStatistics;
import dev.penstock.spi.format.SliceReader;
import dev.penstock.spi.storage.FileEntry;
import dev.penstock.spi.storage.StorageFile;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;

/// What [OddFormat] and [OddStorage] do wrong: each method gets what is right, and returns what is
/// given instead. This one makes no mistake.
public class Mistake {
  private static final List<Mistake> ALL = Collections.synchronizedList(new ArrayList<>());

  private int opened;

  /// Returns the location of a file that is read with this mistake.
  public final String location() {
    synchronized (ALL) {
      ALL.add(this);
      return "odd://" + (ALL.size() - 1) + "/t/a.odd";
    }
  }

  static Mistake of(String location) {
    return ALL.get(Integer.parseInt(location.split("/", -1)[2]));
  }

  /// Returns how many files were opened before.
  final synchronized int nextOpened() {
    return opened++;
  }

  public FileMetadata metadata(FileMetadata right) {
    return right;
  }

  public ColumnStatistics statistics(String column, ColumnStatistics right) {
    return right;
  }

  public List<PageStatistics> pages(String column, List<PageStatistics> right) {
    return right;
  }

  public SliceReader reader(SliceReader right) {
    return right;
  }

  public int next(int maxRows, int right) {
    return right;
  }

  public long skip(long right) {
    return right;
  }

  public ColumnSlice slice(String column, ColumnSlice right) {
    return right;
  }

  public void closeReader() {}

  public Optional<FileEntry> stat(Optional<FileEntry> right) throws IOException {
    return right;
  }

  public List<FileEntry> list(List<FileEntry> right) throws IOException {
    return right;
  }

  public StorageFile open(StorageFile right) throws IOException {
    return right;
  }

  public long size(long right) {
    return right;
  }

  /// Returns the version of a file before which others were opened.
  public String version(int before, String right) {
    return right;
  }

  public long read(long right) throws IOException {
    return right;
  }

  public void closeFile() throws IOException {}
}
