package dev.penstock.internal.cache;

import dev.penstock.advice.Advice;
import dev.penstock.advice.AdvisedIOException;
import dev.penstock.advice.Remedy;
import dev.penstock.internal.choice.Sentence;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.channels.SeekableByteChannel;
import java.nio.file.DirectoryIteratorException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.OpenOption;
import java.nio.file.Path;
import java.nio.file.SecureDirectoryStream;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.PosixFileAttributeView;
import java.nio.file.attribute.PosixFileAttributes;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.nio.file.attribute.UserPrincipal;
import java.util.EnumSet;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Whose segments are used, and who may read those that are written. File systems without POSIX
/// permissions make no difference.
public enum FolderAccess {
  /// This process's user alone: nobody else may read a file from the moment it is made, and rows
  /// are taken only from files that nobody else can have written.
  PRIVATE,
  /// All who may write to the folder. The umask says who may read.
  SHARED;

  /* Checks and use are of the same thing: a segment is opened in a folder that is open itself, so
   * that nobody can put another in its place, whoever may write to the folders above. Where nobody
   * else may write to a folder, its files stay what they were when they were looked at. */

  private static final Logger LOG = LoggerFactory.getLogger(FolderAccess.class);

  private static final Set<PosixFilePermission> OWNER_FOLDER =
      PosixFilePermissions.fromString("rwx------");
  private static final Set<PosixFilePermission> OWNER_FILE =
      PosixFilePermissions.fromString("rw-------");
  private static final Set<PosixFilePermission> ANY_FILE =
      PosixFilePermissions.fromString("rw-rw-rw-");

  private static final Advice REMEDY =
      Advice.of(
          "Name a folder that does not exist yet.%s",
          Remedy.of("sharedCache", "", "sharedCache(folder, size)")
              .within(" Or, if all who may write there are trusted, use ", "."));

  /// Tells that others may have written what is in a cache.
  static final class RefusedException extends AdvisedIOException {
    private static final long serialVersionUID = 1L;

    private final String reason;

    private RefusedException(Path folder, String reason, Advice remedy) {
      super(Advice.of("Cannot use '%s' as a cache: %s. %s", folder, reason, remedy), null);
      this.reason = reason;
    }

    /// Returns why, without the folder and what to do.
    String reason() {
      return reason;
    }
  }

  void makeFolder(Path folder) throws IOException {
    Path parent = folder.toAbsolutePath().getParent();
    if (parent != null) {
      Files.createDirectories(parent); // as others are made
    }
    Files.createDirectories(folder, modes(folder, OWNER_FOLDER));
  }

  FileChannel create(Path file) throws IOException {
    return FileChannel.open(
        file,
        Set.of(StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE),
        modes(file, OWNER_FILE));
  }

  /// Opens a file without contents, which is made if it is not there. If it is shared, whoever may
  /// write to its folder may write to it, whatever the umask.
  FileChannel openLock(Path file) throws IOException {
    Set<OpenOption> options = Set.of(StandardOpenOption.WRITE, LinkOption.NOFOLLOW_LINKS);
    try {
      return FileChannel.open(file, options);
    } catch (NoSuchFileException e) {
      Set<OpenOption> making =
          Set.of(StandardOpenOption.CREATE, StandardOpenOption.WRITE, LinkOption.NOFOLLOW_LINKS);
      FileChannel made = FileChannel.open(file, making, modes(file, OWNER_FILE));
      Path folder = file.toAbsolutePath().getParent();
      if (this == SHARED && folder != null && isPosix(file)) {
        letIn(folder, file);
      }
      return made;
    }
  }

  /// Lets those write to a file who may write to its folder.
  private static void letIn(Path folder, Path file) {
    try {
      Set<PosixFilePermission> modes = EnumSet.copyOf(ANY_FILE);
      modes.retainAll(Files.getPosixFilePermissions(folder));
      Files.setPosixFilePermissions(file, modes);
    } catch (IOException e) {
      LOG.debug("Cannot let others lock the folder of a cache", e); // or another process made it
    }
  }

  private FileAttribute<?>[] modes(Path path, Set<PosixFilePermission> ofOwner) {
    return this == PRIVATE && isPosix(path)
        ? new FileAttribute<?>[] {PosixFilePermissions.asFileAttribute(ofOwner)}
        : new FileAttribute<?>[0];
  }

  private static boolean isPosix(Path path) {
    return path.getFileSystem().supportedFileAttributeViews().contains("posix");
  }

  /// Refuses a folder that others may have written, with what to do. Its segments are looked at
  /// when they are opened.
  void requireFolder(Path folder) throws IOException {
    if (this == PRIVATE) {
      try (DirectoryStream<Path> entries = Files.newDirectoryStream(folder)) {
        OpenFolder.of(folder, entries).requireOwn();
      }
    }
  }

  /// Refuses a folder that others may have written, or that has such a segment, with what to do.
  /// Segments of this user that others may read, as earlier versions have made them, become
  /// private.
  void require(Path folder) throws IOException {
    if (this == SHARED) {
      return;
    }
    try (DirectoryStream<Path> entries = Files.newDirectoryStream(folder)) {
      OpenFolder open = OpenFolder.of(folder, entries);
      open.requireOwn();
      for (Path each : entries) {
        Path name = each.getFileName();
        if (name != null && FolderFile.isOurs(name.toString())) {
          open.makePrivate(name);
        }
      }
    } catch (DirectoryIteratorException e) {
      throw e.getCause();
    }
  }

  /// Opens a segment to read it; refuses one that others may have written.
  FileChannel open(Path segment) throws IOException {
    Path folder = segment.toAbsolutePath().getParent();
    Path name = segment.getFileName();
    if (this == SHARED || folder == null || name == null) {
      return FileChannel.open(segment, StandardOpenOption.READ);
    }
    try (DirectoryStream<Path> entries = Files.newDirectoryStream(folder)) {
      OpenFolder open = OpenFolder.of(folder, entries);
      open.requireOwn();
      return open.read(name);
    }
  }

  /// A folder that stays the same while it is open, whatever its path leads to: where the system
  /// has calls for that, which are Unix systems; elsewhere `secure` is null.
  private record OpenFolder(Path folder, @Nullable SecureDirectoryStream<Path> secure) {
    static OpenFolder of(Path folder, DirectoryStream<Path> entries) {
      return new OpenFolder(
          folder, entries instanceof SecureDirectoryStream<Path> secure ? secure : null);
    }

    void requireOwn() throws IOException {
      PosixFileAttributeView view =
          secure == null
              ? Files.getFileAttributeView(folder, PosixFileAttributeView.class)
              : secure.getFileAttributeView(PosixFileAttributeView.class);
      if (view != null) {
        requireOwn(view.readAttributes(), "it");
      }
    }

    private @Nullable PosixFileAttributeView view(Path name) {
      return secure == null
          ? Files.getFileAttributeView(
              folder.resolve(name), PosixFileAttributeView.class, LinkOption.NOFOLLOW_LINKS)
          : secure.getFileAttributeView(
              name, PosixFileAttributeView.class, LinkOption.NOFOLLOW_LINKS);
    }

    void makePrivate(Path name) throws IOException {
      PosixFileAttributeView view = view(name);
      if (view == null) {
        return;
      }
      try {
        PosixFileAttributes file = view.readAttributes();
        if (file.isRegularFile()) {
          requireOwn(file, "its segment '" + name + "'");
          if (!OWNER_FILE.containsAll(file.permissions())) {
            view.setPermissions(OWNER_FILE);
          }
        }
      } catch (NoSuchFileException e) {
        // Another process took it away.
      }
    }

    FileChannel read(Path name) throws IOException {
      PosixFileAttributeView view = view(name);
      if (view != null) {
        requireOwn(view.readAttributes(), "its segment '" + name + "'");
      }
      Set<OpenOption> options = Set.of(StandardOpenOption.READ, LinkOption.NOFOLLOW_LINKS);
      SeekableByteChannel opened =
          secure == null
              ? FileChannel.open(folder.resolve(name), options)
              : secure.newByteChannel(name, options);
      if (opened instanceof FileChannel file) {
        return file;
      }
      opened.close();
      return FileChannel.open(folder.resolve(name), options);
    }

    private void requireOwn(PosixFileAttributes found, String what) throws RefusedException {
      Optional<UserPrincipal> user = ProcessUser.USER;
      if (user.isEmpty() || !found.owner().equals(user.get())) {
        throw new RefusedException(
            folder,
            Sentence.of(
                "%s belongs to user '%s', but this process to %s",
                what,
                found.owner().getName(),
                user.map(known -> "'" + known.getName() + "'").orElse("one that is not known")),
            REMEDY);
      }
      Set<PosixFilePermission> modes = found.permissions();
      if (modes.contains(PosixFilePermission.OTHERS_WRITE)
          || (modes.contains(PosixFilePermission.GROUP_WRITE) && !isOwnGroup(found))) {
        throw new RefusedException(
            folder,
            Sentence.of(
                "%s may be written by other users: its mode is %s, its group '%s'",
                what, PosixFilePermissions.toString(modes), found.group().getName()),
            Advice.of(
                "Forbid that, with chmod go-w, if nobody else has written there. %s", REMEDY));
      }
    }
  }

  /// Returns whether the group is the owner's own: where each user has one, files may be writable
  /// to it by default.
  private static boolean isOwnGroup(PosixFileAttributes found) {
    return found.group().getName().equals(found.owner().getName());
  }

  /// The user of this process, as files name their owners.
  private static final class ProcessUser {
    static final Optional<UserPrincipal> USER = find();

    private static Optional<UserPrincipal> find() {
      Path process = Path.of("/proc/self");
      try {
        if (Files.exists(process)) {
          return Optional.of(Files.getOwner(process)); // a user may have no name
        }
        Optional<String> name = ProcessHandle.current().info().user();
        return name.isEmpty()
            ? Optional.empty()
            : Optional.of(
                process
                    .getFileSystem()
                    .getUserPrincipalLookupService()
                    .lookupPrincipalByName(name.get()));
      } catch (IOException | UnsupportedOperationException e) {
        LOG.debug("Cannot tell the user of this process", e);
        return Optional.empty();
      }
    }
  }
}
