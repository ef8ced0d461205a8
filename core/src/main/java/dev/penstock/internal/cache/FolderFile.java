package dev.penstock.internal.cache;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.channels.OverlappingFileLockException;
import java.nio.file.DirectoryIteratorException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.BasicFileAttributes;
import java.nio.file.attribute.FileTime;
import java.security.SecureRandom;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// A segment of a cache, or one that is being written, and when it was last used. Other files in
/// its folder are not looked at.
record FolderFile(Path path, long bytes, FileTime used) {
  private static final Logger LOG = LoggerFactory.getLogger(FolderFile.class);

  private static final Pattern NAME =
      Pattern.compile(
          "[0-9a-f]+-[0-9a-f]{16}(?:"
              + Pattern.quote(Segment.WHOLE)
              + "|(?:\\.(?<room>[0-9a-f]{1,15}))?"
              + Pattern.quote(Segment.PART)
              + ")");

  private static final SecureRandom NAMES = new SecureRandom();

  /// The names of the files that this process writes. They must not be opened a second time: on
  /// many systems closing a file ends all locks that its process has on it.
  private static final Set<String> WRITTEN = ConcurrentHashMap.newKeySet();

  /// Returns a name that no other file of a cache has, without its end.
  static String newName() {
    byte[] random = new byte[8];
    NAMES.nextBytes(random);
    return Long.toHexString(System.currentTimeMillis()) + "-" + HexFormat.of().formatHex(random);
  }

  /// Lists the files of a cache, in any order.
  static List<FolderFile> list(Path folder) throws IOException {
    List<FolderFile> found = new ArrayList<>();
    try (DirectoryStream<Path> all = Files.newDirectoryStream(folder, FolderFile::isOurs)) {
      for (Path each : all) {
        try {
          BasicFileAttributes file =
              Files.readAttributes(each, BasicFileAttributes.class, LinkOption.NOFOLLOW_LINKS);
          if (file.isRegularFile()) {
            found.add(new FolderFile(each, file.size(), file.lastModifiedTime()));
          }
        } catch (IOException e) {
          // Another process took it away.
        }
      }
    } catch (DirectoryIteratorException e) {
      throw e.getCause();
    }
    return found;
  }

  private static boolean isOurs(Path path) {
    return isOurs(String.valueOf(path.getFileName()));
  }

  static boolean isOurs(String name) {
    return NAME.matcher(name).matches();
  }

  /// Returns the name of a file while a segment is written, for a `name` from [#newName()]. It
  /// tells other processes that the segment may grow to `room` bytes.
  static String partName(String name, long room) {
    return name + "." + Long.toHexString(room) + Segment.PART;
  }

  /// Returns how many bytes it has, or may have in the end.
  long room() {
    Matcher name = NAME.matcher(name());
    String room = name.matches() ? name.group("room") : null;
    return room == null ? bytes : Math.max(bytes, Long.parseLong(room, 16));
  }

  String name() {
    return String.valueOf(path.getFileName());
  }

  boolean isPart() {
    return name().endsWith(Segment.PART);
  }

  /// Notes that this process writes a file, until [#endWriting].
  static void beginWriting(Path part) {
    WRITTEN.add(String.valueOf(part.getFileName()));
  }

  static void endWriting(Path part) {
    WRITTEN.remove(String.valueOf(part.getFileName()));
  }

  /// Deletes a segment that a process began and did not end, because it was killed; returns false
  /// if some process still writes it.
  ///
  /// To be called with the [FolderLock], so that it is not one that has just been made and is
  /// locked next.
  boolean deleteIfLeft() {
    if (WRITTEN.contains(name())) {
      return false;
    }
    try (FileChannel channel = FileChannel.open(path, StandardOpenOption.WRITE);
        FileLock left = channel.tryLock()) {
      return left != null && Files.deleteIfExists(path);
    } catch (IOException | OverlappingFileLockException e) {
      LOG.debug("Cannot delete what is left of a segment", e);
      return false;
    }
  }
}
