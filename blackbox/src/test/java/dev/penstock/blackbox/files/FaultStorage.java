package dev.penstock.blackbox.files;

import dev.penstock.spi.storage.FetchAdvice;
import dev.penstock.spi.storage.FileEntry;
import dev.penstock.spi.storage.Storage;
import dev.penstock.spi.storage.StorageFile;
import dev.penstock.storage.Location;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.foreign.MemorySegment;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.Stream;

/// A store over a local folder that fails or waits where a test wants it to.
///
/// Found by `ServiceLoader` under `fault://NAME/...`, where each test has a [Site] of its own.
public final class FaultStorage implements Storage {
  private static final Map<String, Site> SITES = new ConcurrentHashMap<>();
  private static final AtomicInteger COUNTER = new AtomicInteger();

  /// What may go wrong with a call, decided by the test; throws to fail.
  @FunctionalInterface
  public interface Fault {
    void check(Location location) throws IOException;
  }

  /// A folder under faults.
  public static final class Site {
    private final String root;
    private final Path folder;
    private final AtomicInteger open = new AtomicInteger();
    private final AtomicLong bytesRead = new AtomicLong();
    private volatile Fault onList = _ -> {};
    private volatile Fault onOpen = _ -> {};
    private volatile Fault onRead = _ -> {};
    private volatile Fault onAdvice = _ -> {};
    private volatile Optional<FetchAdvice> advice = Optional.empty();
    private volatile Fault onDecode = _ -> {};

    private Site(String root, Path folder) {
      this.root = root;
      this.folder = folder;
    }

    public String location() {
      return root;
    }

    /// Returns how many files are open now.
    public int openFiles() {
      return open.get();
    }

    /// Returns how many bytes were read so far.
    public long bytesRead() {
      return bytesRead.get();
    }

    public void onList(Fault fault) {
      onList = fault;
    }

    public void onOpen(Fault fault) {
      onOpen = fault;
    }

    public void onRead(Fault fault) {
      onRead = fault;
    }

    /// Sets what may go wrong when a file is asked how it is best read; an [IOException] comes
    /// unchecked.
    public void onAdvice(Fault fault) {
      onAdvice = fault;
    }

    /// Sets how the store wants to be read from now on, as one behind a network.
    public void advice(FetchAdvice given) {
      advice = Optional.of(given);
    }

    /// Sets what may go wrong when a slice is decoded, by a format that asks.
    public void onDecode(Fault fault) {
      onDecode = fault;
    }

    private Path path(Location location) {
      return folder.resolve(location.text().substring(root.length()).replaceFirst("^/", ""));
    }
  }

  /// A point that threads come to and wait at until it is opened.
  public static final class Gate implements Fault, AutoCloseable {
    private final CountDownLatch reached = new CountDownLatch(1);
    private final CountDownLatch opened = new CountDownLatch(1);

    @Override
    public void check(Location location) {
      reached.countDown();
      await(opened);
    }

    public void awaitArrival() {
      await(reached);
    }

    public void open() {
      opened.countDown();
    }

    @Override
    public void close() {
      open();
    }

    private static void await(CountDownLatch latch) {
      try {
        latch.await();
      } catch (InterruptedException e) {
        throw new IllegalStateException(e);
      }
    }
  }

  public static Site over(Path folder) {
    String root = "fault://site" + COUNTER.incrementAndGet();
    Site site = new Site(root, folder);
    SITES.put(root, site);
    return site;
  }

  private static Site site(Location location) {
    String text = location.text();
    int slash = text.indexOf('/', "fault://".length());
    return SITES.get(slash < 0 ? text : text.substring(0, slash));
  }

  /// Called by a format of the tests before it decodes a slice of a file in any store.
  static void decoding(Location location) throws IOException {
    Site site = location.text().startsWith("fault://") ? site(location) : null;
    if (site != null) {
      site.onDecode.check(location);
    }
  }

  @Override
  public List<String> schemes() {
    return List.of("fault");
  }

  @Override
  public Optional<FileEntry> stat(Location location) throws IOException {
    Path path = site(location).path(location);
    return Files.exists(path) ? Optional.of(entry(location, path)) : Optional.empty();
  }

  @Override
  public List<FileEntry> list(Location folder) throws IOException {
    Site site = site(folder);
    site.onList.check(folder);
    try (Stream<Path> paths = Files.walk(site.path(folder))) {
      return paths.filter(Files::isRegularFile).map(path -> entry(site, path)).toList();
    }
  }

  private static FileEntry entry(Site site, Path path) {
    return entry(new Location(site.root + "/" + site.folder.relativize(path)), path);
  }

  private static FileEntry entry(Location location, Path path) {
    boolean folder = Files.isDirectory(path);
    return new FileEntry(location, folder ? 0 : path.toFile().length(), folder);
  }

  @Override
  public StorageFile open(Location location) throws IOException {
    Site site = site(location);
    site.onOpen.check(location);
    FileChannel channel = FileChannel.open(site.path(location));
    long size;
    try {
      size = channel.size();
    } catch (IOException e) { // of a thread that was interrupted
      channel.close();
      throw e;
    }
    site.open.incrementAndGet();
    return new OpenFile(site, location, channel, size);
  }

  private record OpenFile(Site site, Location location, FileChannel channel, long size)
      implements StorageFile {
    @Override
    public String version() {
      return "";
    }

    @Override
    public Optional<FetchAdvice> advice() {
      try {
        site.onAdvice.check(location);
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
      return site.advice;
    }

    @Override
    public long read(long offset, MemorySegment target) throws IOException {
      site.onRead.check(location);
      site.bytesRead.addAndGet(target.byteSize());
      var buffer = target.asByteBuffer();
      while (buffer.hasRemaining()) {
        if (channel.read(buffer, offset + buffer.position()) < 0) {
          throw new IOException("The file ends. [" + location + "]");
        }
      }
      return target.byteSize();
    }

    @Override
    public void close() throws IOException {
      site.open.decrementAndGet();
      channel.close();
    }
  }
}
