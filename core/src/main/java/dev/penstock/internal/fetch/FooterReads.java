package dev.penstock.internal.fetch;

import dev.penstock.format.LibraryException;
import dev.penstock.format.MalformedFileException;
import dev.penstock.internal.cache.CacheFolder;
import dev.penstock.internal.choice.Libraries;
import dev.penstock.internal.memory.MemoryMeter;
import dev.penstock.internal.table.FooterMemory;
import dev.penstock.internal.table.FoundFile;
import dev.penstock.internal.table.KeptFooter;
import dev.penstock.internal.table.LateFile;
import dev.penstock.internal.table.TableFile;
import dev.penstock.spi.format.Concurrency;
import dev.penstock.spi.format.Concurrency.Outcome;
import dev.penstock.spi.storage.FetchAdvice;
import dev.penstock.spi.storage.FileEntry;
import dev.penstock.spi.storage.StorageFile;
import dev.penstock.storage.Printable;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.locks.ReentrantLock;

/// Reads the footers of many files at once, on virtual threads, because this is mostly waiting.
///
/// If a footer takes a pass over the file, or many small reads, its format announces the ranges,
/// and these are fetched ahead for some files at a time. The pass over a single large file is also
/// split into concurrent parts.
public final class FooterReads {
  /// How much may be fetched ahead of the readers. Each file that has begun may have one more
  /// request.
  private static final long AHEAD_BYTES_MAX = 64 << 20;

  private static final long RANGE_BYTES_MAX = 4 << 20;

  private FooterReads() {}

  public interface Malformed {
    /// Throws the error, unless the file is to be left out.
    void take(FoundFile file, MalformedFileException error) throws MalformedFileException;
  }

  /// Returns the files with their footers, in the same order, except those that `malformed` leaves
  /// out.
  ///
  /// @param memory decides how long they are kept as a whole
  /// @throws IOException the error of the first file, in order, that cannot be read
  public static List<TableFile> readAll(
      List<FoundFile> files, FooterMemory memory, Malformed malformed) throws IOException {
    int processors = Runtime.getRuntime().availableProcessors();
    // As many files as processors keep the processors busy anyway.
    Concurrency parts = files.size() < processors ? new VirtualThreads() : Concurrency.NONE;
    List<Outcome<TableFile>> reads;
    Set<CacheFolder> caches = new LinkedHashSet<>();
    files.forEach(file -> file.cache().ifPresent(caches::add));
    caches.forEach(CacheFolder::begin);
    try (Fetches fetches = fetches()) {
      reads = new VirtualThreads().each(files, file -> read(file, memory, fetches, parts));
    } finally {
      caches.forEach(CacheFolder::end);
    }
    List<TableFile> read = new ArrayList<>();
    for (int i = 0; i < files.size(); i++) {
      try {
        read.add(resultOf(reads.get(i), files.get(i)));
      } catch (MalformedFileException e) {
        malformed.take(files.get(i), e);
      }
    }
    return read;
  }

  private static TableFile read(
      FoundFile file, FooterMemory memory, Fetches fetches, Concurrency parts) throws IOException {
    if (file.cache().isPresent() && !file.entry().version().isEmpty()) {
      return read(file, file.entry(), () -> open(file, fetches), memory, parts);
    }
    // Else the store tells the version of an open file, if any.
    try (StorageFile opened = open(file, fetches)) {
      if (file.cache().isEmpty() || opened.version().isEmpty()) {
        return TableFile.read(file, opened, memory, parts);
      }
      FileEntry entry =
          new FileEntry(file.entry().location(), opened.size(), false, opened.version());
      return read(file, entry, () -> opened, memory, parts);
    }
  }

  private static TableFile read(
      FoundFile file,
      FileEntry entry,
      LateFile.Opener opener,
      FooterMemory memory,
      Concurrency parts)
      throws IOException {
    CacheFolder folder = file.cache().orElseThrow();
    try (KeptFooter footer = new KeptFooter(folder, file.format(), file.options(), entry, opener)) {
      TableFile read = TableFile.read(file, footer, memory, parts);
      footer.keep();
      return read;
    }
  }

  private static Fetches fetches() {
    return new Fetches(
        new ReentrantLock(),
        new MemoryMeter(),
        AHEAD_BYTES_MAX,
        Fetches.Unforeseen.READ,
        () -> null,
        Fetches.VIRTUAL);
  }

  private static StorageFile open(FoundFile file, Fetches fetches) throws IOException {
    // A catalog knows no version of a file: then the store is asked for the file first.
    StorageFile opened =
        file.entry().version().isEmpty()
            ? file.storage().open(file.entry().location())
            : file.storage().open(file.entry());
    FetchAdvice advice = opened.advice().orElse(null);
    if (advice == null) {
      return opened;
    }
    long range = Math.min(RANGE_BYTES_MAX, advice.rangeBytes());
    FetchAdvice finer =
        new FetchAdvice(advice.concurrency(), advice.gapBytes(), range, advice.hedgeAfter());
    return fetches.view(new FetchedFile(opened, finer, () -> {}), 0);
  }

  private static TableFile resultOf(Outcome<TableFile> read, FoundFile file) throws IOException {
    String location = file.entry().location().toString();
    try {
      return read.get();
    } catch (IOException e) {
      if (e instanceof LibraryException || names(e, location)) {
        throw e;
      }
      throw new UncheckedIOException(sentence(location, e), e);
    } catch (IllegalStateException e) {
      throw names(e, location) ? e : new IllegalStateException(sentence(location, e), e);
    } catch (RuntimeException | Error e) {
      Optional<String> library = Libraries.blamed(e);
      if (library.isPresent()) {
        throw new LibraryException(library.get(), e);
      }
      throw new IllegalStateException(sentence(location, e), e);
    }
  }

  private static boolean names(Exception e, String location) {
    return e.getMessage() != null && e.getMessage().contains(location);
  }

  private static String sentence(String location, Throwable cause) {
    return "Cannot read the footer of " + location + ": " + Printable.of(cause.toString());
  }
}
