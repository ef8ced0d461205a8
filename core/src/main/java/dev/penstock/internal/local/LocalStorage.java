package dev.penstock.internal.local;

import dev.penstock.spi.storage.FileEntry;
import dev.penstock.spi.storage.Storage;
import dev.penstock.spi.storage.StorageFile;
import dev.penstock.storage.Location;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.ClosedByInterruptException;
import java.nio.channels.FileChannel;
import java.nio.file.AccessDeniedException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.FileSystemException;
import java.nio.file.FileSystemLoopException;
import java.nio.file.FileVisitOption;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/// The local file system. Symbolic links are followed.
public final class LocalStorage implements Storage {
  @Override
  public List<String> schemes() {
    return List.of("file");
  }

  @Override
  public Optional<FileEntry> stat(Location location) throws IOException {
    Path path = path(location);
    try {
      BasicFileAttributes attributes = Files.readAttributes(path, BasicFileAttributes.class);
      return Optional.of(entry(path, attributes));
    } catch (NoSuchFileException _) {
      return Optional.empty();
    } catch (AccessDeniedException e) {
      throw denied(path, e);
    }
  }

  @Override
  public List<FileEntry> list(Location folder) throws IOException {
    return list(folder, _ -> true);
  }

  @Override
  public List<FileEntry> list(Location folder, Predicate<Location> wanted) throws IOException {
    Path root = path(folder);
    List<FileEntry> files = new ArrayList<>();
    Files.walkFileTree(
        root,
        EnumSet.of(FileVisitOption.FOLLOW_LINKS),
        Integer.MAX_VALUE,
        new SimpleFileVisitor<>() {
          private boolean isWanted(Path path) {
            return path.equals(root) || wanted.test(Location.of(path));
          }

          @Override
          public FileVisitResult preVisitDirectory(Path folder, BasicFileAttributes attributes) {
            return isWanted(folder) ? FileVisitResult.CONTINUE : FileVisitResult.SKIP_SUBTREE;
          }

          @Override
          public FileVisitResult visitFile(Path file, BasicFileAttributes attributes)
              throws IOException {
            if (isWanted(file)) {
              files.add(entry(file, attributes));
            }
            return FileVisitResult.CONTINUE;
          }

          @Override
          public FileVisitResult visitFileFailed(Path file, IOException e) throws IOException {
            if (!isWanted(file)) {
              return FileVisitResult.CONTINUE;
            }
            throw switch (e) {
              case AccessDeniedException _ -> denied(file, e);
              case FileSystemLoopException _ ->
                  unreadable(
                      file, "the link leads to a folder that contains it. Remove the link.", e);
              default -> e;
            };
          }
        });
    return files;
  }

  @Override
  public Location canonical(Location file) throws IOException {
    try {
      return Location.of(path(file).toRealPath());
    } catch (NoSuchFileException _) {
      return file; // A broken link: reading it reports that.
    }
  }

  @Override
  public StorageFile open(Location location) throws IOException {
    Path path = path(location);
    try {
      return LocalFile.open(location, path);
    } catch (NoSuchFileException e) {
      throw new IOException(
          "Cannot read '"
              + location
              + "': it is gone. List the dataset again, or restore the file.",
          e);
    } catch (AccessDeniedException e) {
      throw denied(path, e);
    }
  }

  /// Creates a file by a link to one that is complete; where the file system has no links, by a
  /// move, so that of two who create it at once both may be told that they did.
  @Override
  public boolean create(Location file, byte[] content) throws IOException {
    Path path = path(file).toAbsolutePath();
    Path draft = path.resolveSibling(".penstock-" + UUID.randomUUID() + ".tmp");
    try {
      Files.createDirectories(path.resolveSibling(""));
      try {
        write(draft, content);
        return publish(draft, path);
      } finally {
        Files.deleteIfExists(draft);
      }
    } catch (ClosedByInterruptException e) {
      throw e;
    } catch (AccessDeniedException e) {
      throw uncreated(file, "permission denied. Allow this user to write to its folder.", e);
    } catch (FileAlreadyExistsException e) {
      throw uncreated(file, "'" + e.getFile() + "' is not a folder. Name another one.", e);
    } catch (FileSystemException e) {
      throw uncreated(file, e.getReason() + ". Name another folder.", e);
    } catch (IOException e) {
      throw uncreated(file, e.getMessage() + ". Make room, or name another folder.", e);
    }
  }

  private static void write(Path draft, byte[] content) throws IOException {
    try (FileChannel out =
        FileChannel.open(draft, StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE)) {
      ByteBuffer bytes = ByteBuffer.wrap(content);
      while (bytes.hasRemaining()) {
        out.write(bytes);
      }
      out.force(true); // else it may be empty after a crash, and nobody creates it again
    }
  }

  private static boolean publish(Path draft, Path path) throws IOException {
    try {
      Files.createLink(path, draft);
      return true;
    } catch (FileAlreadyExistsException _) {
      return false;
    } catch (FileSystemException | UnsupportedOperationException _) {
      return moved(draft, path);
    }
  }

  private static boolean moved(Path draft, Path path) throws IOException {
    try {
      Files.move(draft, path);
      return true;
    } catch (FileAlreadyExistsException _) {
      return false;
    }
  }

  private static IOException uncreated(Location file, String why, IOException cause) {
    return new IOException("Cannot create '" + file + "': " + why, cause);
  }

  private static FileEntry entry(Path path, BasicFileAttributes attributes) throws IOException {
    if (attributes.isOther()) {
      throw unreadable(
          path,
          "it is a pipe or a device, but files are read in any order and more than once. Write it"
              + " to a file first.",
          null);
    }
    return attributes.isDirectory()
        ? FileEntry.folder(Location.of(path))
        : new FileEntry(
            Location.of(path),
            attributes.size(),
            false,
            "",
            Optional.of(attributes.lastModifiedTime().toInstant()));
  }

  private static Path path(Location location) throws IOException {
    try {
      return Path.of(location.text());
    } catch (InvalidPathException e) {
      throw new IOException(
          "Cannot use '" + location + "' as a path: " + e.getReason() + ". Correct the location.",
          e);
    }
  }

  private static IOException denied(Path path, IOException cause) {
    return unreadable(path, "permission denied. Allow this user to read it.", cause);
  }

  private static IOException unreadable(Path path, String why, @Nullable IOException cause) {
    return new IOException("Cannot read '" + Location.of(path) + "': " + why, cause);
  }
}
