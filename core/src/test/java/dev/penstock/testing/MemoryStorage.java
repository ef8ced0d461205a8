package dev.penstock.testing;

import dev.penstock.spi.format.ByteRange;
import dev.penstock.spi.storage.FetchAdvice;
import dev.penstock.spi.storage.FileEntry;
import dev.penstock.spi.storage.RangeBody;
import dev.penstock.spi.storage.RemoteFile;
import dev.penstock.spi.storage.Retries;
import dev.penstock.spi.storage.RetryPolicy;
import dev.penstock.spi.storage.ServedRange;
import dev.penstock.spi.storage.Storage;
import dev.penstock.spi.storage.StorageFile;
import dev.penstock.spi.storage.StorageOptions;
import dev.penstock.storage.Location;
import dev.penstock.storage.StorageException;
import java.io.ByteArrayInputStream;
import java.io.FilterInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.net.SocketException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.ToLongFunction;
import java.util.stream.Stream;

/// A store behind a network that is not there: files in memory, read by requests, which a test sees
/// and may let fail or wait. Nothing takes time: waits between attempts pass at once.
///
/// Found by `ServiceLoader` under `memory://NAME/...`, where each test has a [Site] of its own.
public final class MemoryStorage implements Storage {
  private static final Map<String, Site> SITES = new ConcurrentHashMap<>();
  private static final AtomicInteger COUNTER = new AtomicInteger();

  /// A request for bytes of a file.
  ///
  /// @param number counted from 0
  public record Request(int number, Location location, ByteRange range) {}

  /// What becomes of a request before it is answered; throws to fail.
  @FunctionalInterface
  public interface Fault {
    /// Lets the request pass, wait or fail.
    void check(Request request) throws IOException;
  }

  /// Some files, and how they are served.
  public static final class Site {
    private final String root;
    private final Map<String, byte[]> files = new ConcurrentSkipListMap<>();
    private final Map<String, Instant> times = new ConcurrentHashMap<>();
    private final List<Request> requests = new CopyOnWriteArrayList<>();
    private final AtomicInteger count = new AtomicInteger();
    private final AtomicInteger open = new AtomicInteger();
    private final AtomicInteger openMost = new AtomicInteger();
    private volatile Fault fault = _ -> {};
    private volatile ToLongFunction<Request> cut = _ -> -1;
    private volatile Runnable look = () -> {};
    private volatile FetchAdvice advice = FetchAdvice.of(StorageOptions.NONE);

    private Site(String root) {
      this.root = root;
    }

    /// Returns where the files are, without a slash at its end.
    public String location() {
      return root;
    }

    /// Adds a file.
    public Site put(String path, byte[] content) {
      files.put(path, content);
      return this;
    }

    /// Deletes a file.
    public void delete(String path) {
      files.remove(path);
    }

    /// Lets the list tell when a file was written.
    public Site written(String path, Instant time) {
      times.put(path, time);
      return this;
    }

    /// Adds a local file, or all files below a folder.
    public Site put(Path local) throws IOException {
      try (Stream<Path> paths = Files.walk(local)) {
        for (Path path : paths.filter(Files::isRegularFile).toList()) {
          String name = local.relativize(path).toString();
          put(name.isEmpty() ? path.getFileName().toString() : name, Files.readAllBytes(path));
        }
      }
      return this;
    }

    /// Lets something happen to requests.
    public void fault(Fault happening) {
      fault = happening;
    }

    /// Lets answers break.
    ///
    /// @param after behind how many bytes; negative for never
    public void cut(ToLongFunction<Request> after) {
      cut = after;
    }

    /// Lets something happen when somebody looks for a file or folder.
    public void look(Runnable happening) {
      look = happening;
    }

    /// Changes how the files are best read.
    public void advice(int concurrency, long gap, long range, Optional<Duration> hedgeAfter) {
      advice = new FetchAdvice(concurrency, gap, range, hedgeAfter);
    }

    /// Ends the site; its files are gone.
    public void remove() {
      SITES.remove(root);
    }

    /// Returns what was asked for, in order.
    public List<Request> requests() {
      return requests;
    }

    /// Returns the bytes of all files.
    public long bytes() {
      return files.values().stream().mapToLong(content -> content.length).sum();
    }

    /// Returns how many requests there were at once, at most.
    public int requestsAtOnce() {
      return openMost.get();
    }

    private RangeBody serve(FileEntry file, String name, long offset, long length)
        throws IOException {
      Request request =
          new Request(count.getAndIncrement(), file.location(), new ByteRange(offset, length));
      requests.add(request);
      openMost.accumulateAndGet(open.incrementAndGet(), Math::max);
      try {
        fault.check(request);
        byte[] content = files.get(name);
        if (content == null) {
          throw StorageException.ofStatus(404, "", Optional.empty(), null);
        }
        if (!version(content).equals(file.version())) {
          throw StorageException.ofStatus(412, "", Optional.empty(), null);
        }
        long after = cut.applyAsLong(request);
        InputStream body =
            after < 0 || after >= length
                ? new ByteArrayInputStream(content, (int) offset, (int) length)
                : new CutStream(content, (int) offset, (int) after);
        return RangeBody.of(new ServedRange(offset, length, content.length), body, () -> {});
      } finally {
        open.decrementAndGet();
      }
    }
  }

  /// An answer that breaks in the middle.
  private static final class CutStream extends FilterInputStream {
    CutStream(byte[] content, int from, int bytes) {
      super(new ByteArrayInputStream(content, from, bytes));
    }

    @Override
    public int read(byte[] target, int offset, int length) throws IOException {
      int count = super.read(target, offset, length);
      if (count <= 0) {
        throw new SocketException("Connection reset");
      }
      return count;
    }
  }

  /// Makes a site without files.
  public static Site site() {
    String root = "memory://site" + COUNTER.incrementAndGet();
    Site site = new Site(root);
    SITES.put(root, site);
    return site;
  }

  private static Site site(Location location) {
    String text = location.text();
    int slash = text.indexOf('/', "memory://".length());
    return Objects.requireNonNull(SITES.get(slash < 0 ? text : text.substring(0, slash)), text);
  }

  private static String name(Location location) {
    return location.text().substring(site(location).root.length()).replaceFirst("^/", "");
  }

  private static String version(byte[] content) {
    return Integer.toHexString(System.identityHashCode(content));
  }

  private static FileEntry entry(Site site, String name) {
    byte[] content = Objects.requireNonNull(site.files.get(name), name);
    Location location = new Location(site.root + "/" + name);
    return new FileEntry(
        location,
        content.length,
        false,
        version(content),
        Optional.ofNullable(site.times.get(name)));
  }

  @Override
  public List<String> schemes() {
    return List.of("memory");
  }

  @Override
  public Optional<FileEntry> stat(Location location) {
    Site site = site(location);
    site.look.run();
    String name = name(location);
    if (site.files.containsKey(name)) {
      return Optional.of(entry(site, name));
    }
    String folder = name.isEmpty() || name.endsWith("/") ? name : name + "/";
    return site.files.keySet().stream().anyMatch(each -> each.startsWith(folder))
        ? Optional.of(FileEntry.folder(location))
        : Optional.empty();
  }

  @Override
  public List<FileEntry> list(Location folder) {
    Site site = site(folder);
    String name = name(folder);
    String prefix = name.isEmpty() || name.endsWith("/") ? name : name + "/";
    List<FileEntry> files = new ArrayList<>();
    for (String each : site.files.keySet()) {
      if (each.startsWith(prefix)) {
        files.add(entry(site, each));
      }
    }
    return files;
  }

  @Override
  public StorageFile open(Location location) throws IOException {
    return open(
        stat(location).orElseThrow(() -> new IOException("There is no '" + location + "'.")));
  }

  @Override
  public boolean create(Location file, byte[] content) {
    return site(file).files.putIfAbsent(name(file), content.clone()) == null;
  }

  @Override
  public StorageFile open(FileEntry file) {
    Site site = site(file.location());
    String name = name(file.location());
    return new RemoteFile(
        file,
        (offset, length) -> site.serve(file, name, offset, length),
        new Retries(RetryPolicy.DEFAULT, new StillPace()),
        site.advice);
  }
}
