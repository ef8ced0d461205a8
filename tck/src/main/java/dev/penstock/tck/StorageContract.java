package dev.penstock.tck;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.penstock.DataLoader;
import dev.penstock.StructuredDataset;
import dev.penstock.batch.OutputFormat;
import dev.penstock.options.LoaderOptions;
import dev.penstock.spi.storage.FileEntry;
import dev.penstock.spi.storage.Storage;
import dev.penstock.spi.storage.StorageFile;
import dev.penstock.spi.storage.StorageOptions;
import dev.penstock.storage.Location;
import dev.penstock.tck.internal.Delivered;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Random;
import java.util.TreeSet;
import java.util.UUID;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.Test;

/// What every [Storage] promises, as tests: ranges of files, lists of folders, versions, errors
/// that name the file, and how files are created where the store does.
///
/// Extend it in the tests of your store and say how a file gets into it. Each test has a folder of
/// its own; nothing is deleted behind it.
public abstract class StorageContract {
  private static final String DATA = "a/data.bin";
  private static final String ODD = "a/b=1/x y+z%20%#[ü].bin";

  private final String root = "tck-" + UUID.randomUUID();
  private final byte[] data = new byte[300_000];

  /// Only for those who extend it.
  protected StorageContract() {
    new Random(1).nextBytes(data);
  }

  /// {@return the store under contract, with what it needs to be reached}
  protected abstract Storage storage();

  /// Puts a file into the store, in place of one of the same path, whose version it does not have.
  ///
  /// @param path its path, with folders between slashes
  /// @param content its bytes
  /// @return where it is; the text ends with the path
  /// @throws IOException if it cannot be put there
  protected abstract Location put(String path, byte[] content) throws IOException;

  /// Deletes a file.
  ///
  /// @param path what was passed to [#put]
  /// @throws IOException if it cannot be deleted
  protected abstract void delete(String path) throws IOException;

  /// {@return whether the store lists folders; true by default}
  protected boolean hasFolders() {
    return true;
  }

  /// {@return whether the store creates files; false by default}
  protected boolean creates() {
    return false;
  }

  /// {@return files of the store as a dataset}
  ///
  /// @param locations where they are
  protected StructuredDataset open(List<String> locations) {
    return new StructuredDataset(locations).storage(storage());
  }

  private Location put(String path) throws IOException {
    return put(root + "/" + path, data);
  }

  /// Returns the test's folder, or a path below it.
  private Location at(String path) throws IOException {
    String file = root + "/at";
    String text = put(file, new byte[1]).text();
    delete(file);
    assertTrue(text.endsWith(file), () -> "'" + text + "' does not end with '" + file + "'");
    return new Location(text.substring(0, text.length() - "/at".length()) + path);
  }

  private static byte[] read(StorageFile file, long offset, int length) throws IOException {
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment target = arena.allocate(length);
      assertEquals(length, file.read(offset, target), "what read() returns");
      return target.toArray(ValueLayout.JAVA_BYTE);
    }
  }

  private static void assertNames(IOException error, Location file) {
    assertTrue(
        String.valueOf(error.getMessage()).contains(file.name()),
        () -> "the error does not name '" + file + "': " + error);
  }

  // Ranges

  @Test
  void rangesAreThoseOfTheFile() throws IOException {
    Location location = put(DATA);
    Random random = new Random(2);
    try (StorageFile file = storage().open(location)) {
      assertEquals(location, file.location());
      assertEquals(data.length, file.size());
      assertArrayEquals(data, read(file, 0, data.length));
      assertArrayEquals(
          new byte[] {data[data.length - 1]}, read(file, data.length - 1, 1), "the last byte");
      assertArrayEquals(Arrays.copyOf(data, 9), file.bytes(0, 9));
      for (int i = 0; i < 20; i++) {
        assertRange(file, random);
      }
    }
  }

  private void assertRange(StorageFile file, Random random) throws IOException {
    int from = random.nextInt(data.length);
    int to = from + 1 + random.nextInt(data.length - from);
    byte[] expected = Arrays.copyOfRange(data, from, to);
    byte[] found = read(file, from, to - from);
    int differs = Arrays.mismatch(expected, found);
    assertTrue(differs < 0, () -> "[%d, %d): byte %d differs".formatted(from, to, from + differs));
  }

  /// What has arrived is reported in ever larger numbers, the last of them all bytes.
  @Test
  void progressRisesToTheEnd() throws IOException {
    Location location = put(DATA);
    List<Long> reported = new ArrayList<>();
    try (StorageFile file = storage().open(location);
        Arena arena = Arena.ofConfined()) {
      assertEquals(250_000, file.read(7, arena.allocate(250_000), reported::add));
    }
    assertEquals(List.copyOf(new TreeSet<>(reported)), reported);
    assertEquals(250_000, reported.getLast());
  }

  @Test
  void rangeBehindTheEndIsAnErrorThatNamesTheFile() throws IOException {
    Location location = put(DATA);
    try (StorageFile file = storage().open(location)) {
      assertNames(assertThrows(IOException.class, () -> read(file, data.length - 5, 10)), location);
      assertNames(
          assertThrows(IOException.class, () -> read(file, data.length + 100, 10)), location);
    }
  }

  @Test
  void severalThreadsReadOneFile() throws Exception {
    Location location = put(DATA);
    try (StorageFile file = storage().open(location);
        ExecutorService threads = Executors.newFixedThreadPool(4)) {
      List<Future<Void>> running = new ArrayList<>();
      for (int thread = 0; thread < 4; thread++) {
        Random random = new Random(thread);
        Callable<Void> reads =
            () -> {
              for (int i = 0; i < 10; i++) {
                assertRange(file, random);
              }
              return null;
            };
        running.add(threads.submit(reads));
      }
      for (Future<Void> reads : running) {
        reads.get();
      }
    }
  }

  // What is where

  @Test
  void schemesAreThoseOfLocations() throws IOException {
    List<String> schemes = storage().schemes();
    assertTrue(
        schemes.contains(at("").scheme()), () -> schemes + " does not have that of its files");
    for (String scheme : schemes) {
      assertEquals(scheme.toLowerCase(Locale.ROOT), scheme);
    }
  }

  @Test
  void fileIsToldFromAFolderAndFromNothing() throws IOException {
    Location location = put(DATA);
    FileEntry file = storage().stat(location).orElseThrow();
    assertFalse(file.folder(), "the file is a folder");
    assertEquals(data.length, file.bytes());
    assertEquals(location, file.location());
    assertEquals(Optional.empty(), storage().stat(at("/a/data")), "the begin of a name");
    assertEquals(Optional.empty(), storage().stat(at("/nothing")));
    if (hasFolders()) {
      for (String folder : List.of("/a", "/a/")) {
        assertTrue(storage().stat(at(folder)).orElseThrow().folder(), folder + " is no folder");
      }
    }
  }

  @Test
  void listHasTheFilesBelowAFolder() throws IOException {
    assumeTrue(hasFolders(), "the store has no folders");
    List<Location> files = List.of(put(DATA), put(ODD), put("a/_hidden/c/d"));
    put("ab/beside");
    for (String folder : List.of("/a", "/a/")) {
      List<FileEntry> listed = storage().list(at(folder));
      assertEquals(new TreeSet<>(texts(files)), new TreeSet<>(texts(locations(listed))));
      assertEquals(files.size(), listed.size(), "a file is listed twice");
      for (FileEntry entry : listed) {
        assertFalse(entry.folder(), () -> entry + " is listed as a folder");
        assertEquals(data.length, entry.bytes());
        try (StorageFile file = storage().open(entry)) {
          assertArrayEquals(Arrays.copyOf(data, 9), read(file, 0, 9));
        }
      }
    }
    List<FileEntry> wanted =
        storage().list(at("/a"), each -> (each.text() + "/").contains("/b=1/"));
    assertTrue(locations(wanted).contains(files.get(1)), () -> ODD + " is not in " + wanted);
  }

  private static List<Location> locations(List<FileEntry> entries) {
    return entries.stream().map(FileEntry::location).toList();
  }

  private static List<String> texts(List<Location> locations) {
    return locations.stream().map(Location::text).toList();
  }

  @Test
  void locationsOfOneFolderHaveOneOrigin() throws IOException {
    Storage storage = storage();
    assertEquals(
        storage.origin(at("/a"), StorageOptions.NONE),
        storage.origin(at("/b/c"), StorageOptions.NONE));
  }

  // Versions and errors

  @Test
  void versionChangesWithTheContents() throws IOException {
    Location location = put(DATA);
    String version = version(location);
    assertEquals(version, version(location), "the version of the same contents");
    assertIsVersion(version, storage().stat(location).orElseThrow());
    if (hasFolders()) {
      assertIsVersion(version, storage().list(at("")).getFirst());
    }
    data[0]++;
    put(DATA);
    assertNotEquals(version, version(location), "the version of other contents");
  }

  private String version(Location location) throws IOException {
    try (StorageFile file = storage().open(location)) {
      return file.version();
    }
  }

  /// A store may know the version of open files only.
  private static void assertIsVersion(String version, FileEntry entry) {
    if (!entry.version().isEmpty()) {
      assertEquals(version, entry.version(), "the version of an entry");
    }
  }

  /// What has the version of the old contents has the old contents, or cannot be read.
  @Test
  void replacedFileIsNotReadUnderItsOldVersion() throws IOException {
    Location location = put(DATA);
    String version = version(location);
    FileEntry entry = storage().stat(location).orElseThrow();
    byte old = data[0]++;
    put(DATA);
    try (StorageFile file = storage().open(entry)) {
      byte found = read(file, 0, 10)[0];
      assertTrue(
          found == old || !file.version().equals(version),
          "new contents are read under the version of the old ones");
    } catch (IOException e) {
      assertNames(e, location);
    }
  }

  @Test
  void fileThatIsGoneIsAnErrorThatNamesIt() throws IOException {
    Location location = put(DATA);
    FileEntry entry = storage().stat(location).orElseThrow();
    delete(root + "/" + DATA);
    assertNames(assertThrows(IOException.class, () -> readFirst(location)), location);
    assertNames(assertThrows(IOException.class, () -> readFirst(entry)), location);
  }

  // Creation

  @Test
  void fileIsCreatedUnlessThereIsOne() throws IOException {
    assumeTrue(creates(), "the store creates no files");
    Location location = at("/new/folder/data.bin");
    assertTrue(storage().create(location, data), "create() says that there is a file");
    assertFalse(storage().create(location, new byte[9]), "create() says that it replaces a file");
    assertContent(location, data);
    if (hasFolders()) {
      assertEquals(List.of(location), locations(storage().list(at("/new"))), "what is left");
    }
    Location other = put(DATA);
    assertFalse(storage().create(other, new byte[9]), "create() says that it replaces a file");
    assertContent(other, data);
  }

  private void assertContent(Location location, byte[] content) throws IOException {
    try (StorageFile file = storage().open(location)) {
      assertArrayEquals(content, read(file, 0, (int) file.size()), "what is in the file");
    }
  }

  @Test
  void oneOfSeveralCreatesAFile() throws Exception {
    assumeTrue(creates(), "the store creates no files");
    Location location = at("/new/raced");
    List<byte[]> contents = new ArrayList<>();
    List<Boolean> created = new ArrayList<>();
    try (ExecutorService threads = Executors.newFixedThreadPool(4)) {
      List<Future<Boolean>> running = new ArrayList<>();
      for (int writer = 0; writer < 4; writer++) {
        byte[] content = data.clone();
        Arrays.fill(content, 0, 1000 * (writer + 1), (byte) writer);
        contents.add(content);
        running.add(threads.submit(() -> storage().create(location, content)));
      }
      for (Future<Boolean> each : running) {
        created.add(each.get());
      }
    }
    assertEquals(1, created.stream().filter(each -> each).count(), "how many created the file");
    assertContent(location, contents.get(created.indexOf(true)));
  }

  private void readFirst(Location location) throws IOException {
    try (StorageFile file = storage().open(location)) {
      read(file, 0, 10);
    }
  }

  private void readFirst(FileEntry entry) throws IOException {
    try (StorageFile file = storage().open(entry)) {
      read(file, 0, 10);
    }
  }

  /// Hidden files beside them are left out, and an epoch is read twice.
  @Test
  void loaderReadsTheRowsOfFiles() throws IOException {
    List<String> files = new ArrayList<>();
    List<List<Object>> expected = new ArrayList<>();
    for (int file = 0; file < 3; file++) {
      StringBuilder text = new StringBuilder("id\n");
      for (long row = 0; row < 50; row++) {
        text.append(100L * file + row).append('\n');
        expected.add(List.of(100L * file + row));
      }
      byte[] content = text.toString().getBytes(StandardCharsets.UTF_8);
      files.add(put(root + "/rows/part-" + file + ".csv", content).text());
    }
    put(root + "/rows/_SUCCESS", new byte[0]);
    StructuredDataset dataset = open(hasFolders() ? List.of(at("/rows").text()) : files);
    LoaderOptions options =
        LoaderOptions.defaults().batchSize(7).workers(2).output(OutputFormat.MAP);
    try (DataLoader loader = DataLoader.of(dataset, options)) {
      for (int epoch = 0; epoch < 2; epoch++) {
        Delivered.assertRows("epoch " + epoch, Delivered.rows(loader, List.of("id")), expected);
      }
    }
  }
}
