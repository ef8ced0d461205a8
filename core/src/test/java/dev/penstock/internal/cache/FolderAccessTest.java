package dev.penstock.internal.cache;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.penstock.internal.cache.FolderAccess.RefusedException;
import dev.penstock.schema.DataType;
import dev.penstock.schema.Field;
import dev.penstock.schema.Schema;
import dev.penstock.spi.format.ColumnSlice;
import dev.penstock.split.ByteSize;
import dev.penstock.storage.Location;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFileAttributeView;
import java.nio.file.attribute.PosixFileAttributes;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Caches between users: who may read what is written, and whose rows are taken.
class FolderAccessTest {
  private static final ByteSize LIMIT = new ByteSize(1 << 20);
  private static final Field ID = new Field("id", DataType.int32(), false);
  private static final Schema SCHEMA = Schema.of(List.of(ID));

  /// Not this user, whether it is root or not.
  private static final String OTHER = "4711";

  @TempDir Path temporary;
  private Path path;

  @BeforeEach
  void requirePosix() {
    assumeTrue(
        temporary.getFileSystem().supportedFileAttributeViews().contains("posix"),
        "files have no owners and modes here");
    path = temporary.resolve("above").resolve("cache");
  }

  private CacheFolder opened(FolderAccess access) throws IOException {
    return CacheFolder.open(path, LIMIT, access);
  }

  private static CachedFile file(CacheFolder folder) {
    return folder.file(
        new Location("s3://a/file"), 10, "1", CachedFile.decoding("csv", Map.of(), ""));
  }

  private static List<ColumnSlice> ids() {
    MemorySegment values = Arena.ofAuto().allocate(400, 8);
    return List.of(ColumnSlice.fixed(ID.type(), 100, 0, null, values));
  }

  /// Writes rows.
  ///
  /// @return the modes of all files while the last of them were written
  private Map<String, String> write(CacheFolder folder) throws IOException {
    folder.begin();
    Map<String, String> modes;
    try (CachedFile.Recorder recorder =
        file(folder).new Recorder(new long[] {CachedFile.key(ID)})) {
      recorder.add(0, ids());
      modes = modes();
    }
    folder.end();
    return modes;
  }

  private static long rows(CacheFolder folder) {
    folder.begin();
    try {
      CachedChunk held = file(folder).find(CachedFile.key(ID), 0);
      ColumnSlice slice = held == null ? null : held.slice(ID.type());
      return slice == null ? 0 : slice.rowCount();
    } finally {
      folder.end();
    }
  }

  /// Returns the modes of the folder and of its files, by the end of their names.
  private Map<String, String> modes() throws IOException {
    Map<String, String> modes = new TreeMap<>();
    modes.put("folder", mode(path));
    try (Stream<Path> all = Files.list(path)) {
      for (Path each : all.toList()) {
        String name = each.toString();
        modes.put(name.substring(name.lastIndexOf('.') + 1), mode(each));
      }
    }
    return modes;
  }

  private static String mode(Path file) throws IOException {
    return PosixFilePermissions.toString(Files.getPosixFilePermissions(file));
  }

  private static void setMode(Path file, String mode) throws IOException {
    Files.setPosixFilePermissions(file, PosixFilePermissions.fromString(mode));
  }

  private Path segment() throws IOException {
    try (Stream<Path> all = Files.list(path)) {
      return all.filter(each -> each.toString().endsWith(Segment.WHOLE)).findFirst().orElseThrow();
    }
  }

  private static void giveAway(Path file) throws IOException {
    assumeTrue(Files.isWritable(Path.of("/")), "only root can give files away");
    Files.setOwner(
        file, file.getFileSystem().getUserPrincipalLookupService().lookupPrincipalByName(OTHER));
  }

  private static void giveToGroup(Path file) throws IOException {
    assumeTrue(Files.isWritable(Path.of("/")), "only root can give files away");
    Objects.requireNonNull(Files.getFileAttributeView(file, PosixFileAttributeView.class))
        .setGroup(
            file.getFileSystem().getUserPrincipalLookupService().lookupPrincipalByGroupName(OTHER));
  }

  @Test
  void whatIsWrittenIsOfThisUserAlone() throws IOException {
    CacheFolder folder = opened(FolderAccess.PRIVATE);
    assertThat(write(folder))
        .containsExactly(
            Map.entry("folder", "rwx------"),
            Map.entry("lock", "rw-------"),
            Map.entry("part", "rw-------"));
    assertThat(modes()).containsEntry("segment", "rw-------");
    assertThat(rows(opened(FolderAccess.PRIVATE))).isEqualTo(100);
    assertThat(mode(temporary.resolve("above")))
        .isEqualTo(mode(Files.createDirectory(temporary.resolve("another"))));
  }

  @Test
  void pilesOfAShuffleAreToo() throws IOException {
    CacheFolder folder = opened(FolderAccess.PRIVATE);
    folder.begin();
    try (Piles piles = folder.piles(1, 1, SCHEMA, 100)) {
      try (Piles.Window window = piles.window(0)) {
        MemorySegment places = Arena.ofAuto().allocate(400, 8);
        window.add(List.of(ids().getFirst(), Piles.places(places, 100)));
        assertThat(modes()).containsEntry("part", "rw-------");
      }
      piles.finish();
      assertThat(modes()).containsEntry("segment", "rw-------").doesNotContainKey("part");
    }
    folder.end();
  }

  @Test
  void folderThatWasDeletedIsMadeAgainForThisUserAlone() throws IOException {
    CacheFolder folder = opened(FolderAccess.PRIVATE);
    Files.delete(path);
    assertThat(write(folder)).containsEntry("folder", "rwx------");
  }

  @Test
  void sharedFolderIsAsTheUmaskSays() throws IOException {
    Path likeFolder = Files.createDirectory(temporary.resolve("another"));
    Path likeFile = Files.createFile(temporary.resolve("file"));
    CacheFolder folder = opened(FolderAccess.SHARED);
    assertThat(write(folder))
        .containsEntry("folder", mode(likeFolder))
        .containsEntry("part", mode(likeFile));
    assertThat(modes()).containsEntry("segment", mode(likeFile));
  }

  @Test
  void whoMayWriteToASharedFolderMayLockIt() throws IOException {
    Files.createDirectories(path);
    setMode(path, "rwxrwxr-x");
    write(opened(FolderAccess.SHARED));
    assertThat(modes()).containsEntry("lock", "rw-rw-r--");
  }

  @Test
  void folderThatOthersMayWriteIsRefused() throws IOException {
    write(opened(FolderAccess.PRIVATE));
    setMode(path, "rwxrwxrwx");
    assertThatThrownBy(() -> opened(FolderAccess.PRIVATE))
        .isInstanceOf(RefusedException.class)
        .hasMessage(
            "Cannot use '"
                + path
                + "' as a cache: it may be written by other users: its mode is rwxrwxrwx, its group"
                + " '"
                + Files.readAttributes(path, PosixFileAttributes.class).group().getName()
                + "'. Forbid that, with chmod go-w, if nobody else has written there. Name a folder"
                + " that does not exist yet. Or, if all who may write there are trusted, use"
                + " sharedCache(folder, size).");
    assertThat(rows(opened(FolderAccess.SHARED))).isEqualTo(100);
  }

  @Test
  void folderThatOthersMayReadIsUsed() throws IOException {
    Files.createDirectories(path);
    setMode(path, "rwxr-xr-x");
    assertThat(write(opened(FolderAccess.PRIVATE)))
        .containsEntry("folder", "rwxr-xr-x")
        .containsEntry("part", "rw-------");
  }

  @Test
  void groupThatMayWriteIsOthersUnlessItHasTheOwnersName() throws IOException {
    Files.createDirectories(path);
    setMode(path, "rwxrwx---");
    giveToGroup(path);
    assertRefused(path, "may be written by other users");
    Files.delete(path);
    Files.createDirectory(path);
    setMode(path, "rwxrwx---");
    opened(FolderAccess.PRIVATE); // of root, and its group root
  }

  private static void assertRefused(Path folder, String why) {
    assertThatThrownBy(() -> CacheFolder.open(folder, LIMIT, FolderAccess.PRIVATE))
        .isInstanceOf(RefusedException.class)
        .hasMessageContaining(why)
        .hasMessageContaining("sharedCache(folder, size)");
  }

  @Test
  void folderOfAnotherUserIsRefused() throws IOException {
    if (Files.isWritable(Path.of("/"))) {
      write(opened(FolderAccess.PRIVATE));
      giveAway(path);
      assertRefused(path, "it belongs to user '" + OTHER + "', but this process to 'root'");
      assertThat(rows(opened(FolderAccess.SHARED))).isEqualTo(100);
    } else {
      assertRefusedForReading(Path.of("/tmp"));
    }
  }

  private static void assertRefusedForReading(Path folder) {
    assertThatThrownBy(() -> FolderAccess.PRIVATE.require(folder))
        .isInstanceOf(RefusedException.class)
        .hasMessageContaining("it belongs to user 'root'");
  }

  @Test
  void segmentOfAnotherUserIsRefused() throws IOException {
    write(opened(FolderAccess.PRIVATE));
    CacheFolder before = opened(FolderAccess.PRIVATE);
    assertThat(rows(before)).isEqualTo(100);
    Path segment = segment();
    giveAway(segment);
    assertRefused(path, "its segment '" + segment.getFileName() + "' belongs to user '" + OTHER);
    assertThat(rows(before)).isZero();
    assertThat(rows(opened(FolderAccess.SHARED))).isEqualTo(100);
  }

  @Test
  void segmentThatOthersMayWriteIsRefused() throws IOException {
    write(opened(FolderAccess.PRIVATE));
    setMode(segment(), "rw-rw-rw-");
    assertRefused(path, "its segment '" + segment().getFileName() + "' may be written by other");
    assertThat(rows(opened(FolderAccess.SHARED))).isEqualTo(100);
  }

  @Test
  void segmentThatCameSinceIsLookedAtToo() throws IOException {
    CacheFolder before = opened(FolderAccess.PRIVATE);
    write(opened(FolderAccess.PRIVATE));
    setMode(segment(), "rw-rw-rw-");
    assertThat(rows(before)).isZero();
    setMode(segment(), "rw-------");
    assertThat(rows(before)).isEqualTo(100);
  }

  @Test
  void segmentsThatOthersMayReadBecomePrivate() throws IOException {
    write(opened(FolderAccess.PRIVATE));
    setMode(segment(), "rw-r--r--");
    assertThat(rows(opened(FolderAccess.SHARED))).isEqualTo(100);
    assertThat(mode(segment())).isEqualTo("rw-r--r--");
    assertThat(rows(opened(FolderAccess.PRIVATE))).isEqualTo(100);
    assertThat(mode(segment())).isEqualTo("rw-------");
  }

  @Test
  void folderThatOthersMayWriteSinceIsNotUsedAnyMore() throws IOException {
    CacheFolder folder = opened(FolderAccess.PRIVATE);
    write(folder);
    setMode(path, "rwxrwxrwx");
    assertThat(rows(folder)).isZero();
    Map<String, String> written = write(folder);
    assertThat(written).doesNotContainKey("part");
  }

  /// Whoever may write to the folder above can put another in its place while an epoch goes on.
  @Test
  void folderThatWasPutInItsPlaceIsNotRead() throws IOException {
    write(opened(FolderAccess.PRIVATE));
    CacheFolder folder = opened(FolderAccess.PRIVATE);
    folder.begin();
    CachedChunk held = Objects.requireNonNull(file(folder).find(CachedFile.key(ID), 0));
    Path segment = segment();
    Path away = Files.move(path, path.resolveSibling("away"));
    Files.createDirectory(path);
    Files.copy(away.resolve(segment.getFileName()), segment);
    setMode(path, "rwxrwxrwx");
    assertThat(held.slice(ID.type())).isNull();
    folder.end();
  }

  @Test
  void linkIsNoSegment() throws IOException {
    write(opened(FolderAccess.PRIVATE));
    Path elsewhere = Files.move(segment(), temporary.resolve("elsewhere"));
    setMode(elsewhere, "rw-r--r--");
    Path link = path.resolve(FolderFile.newName() + Segment.WHOLE);
    Files.createSymbolicLink(link, elsewhere);
    CacheFolder folder = opened(FolderAccess.PRIVATE);
    assertThat(rows(folder)).isZero();
    assertThatThrownBy(() -> Segment.open(link, FolderAccess.PRIVATE))
        .isInstanceOf(IOException.class);
    assertThat(mode(elsewhere)).isEqualTo("rw-r--r--");
  }
}
