package org.example;

import dev.penstock.schema.Schema;
import dev.penstock.spi.format.FileFormat;
import dev.penstock.spi.format.FileMetadata;
import dev.penstock.spi.format.ScratchMemory;
import dev.penstock.spi.format.SliceReader;
import dev.penstock.spi.storage.FileEntry;
import dev.penstock.spi.storage.Storage;
import dev.penstock.spi.storage.StorageFile;
import dev.penstock.storage.Location;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/// Formats and stores of somebody else, most of them with a mistake.
public final class Outsiders {
  private Outsiders() {}

  /// A format without mistakes; its files begin with more bytes than those of others.
  public static class Format implements FileFormat {
    private final String name;

    /// Made by `ServiceLoader`.
    public Format() {
      this("outsider");
    }

    Format(String name) {
      this.name = name;
    }

    @Override
    public String name() {
      return name;
    }

    @Override
    public List<String> extensions() {
      return List.of(name);
    }

    @Override
    public byte[] magic() {
      byte[] magic = new byte[1_000];
      Arrays.fill(magic, "X".getBytes(StandardCharsets.US_ASCII)[0]);
      return magic;
    }

    @Override
    public FileMetadata readMetadata(StorageFile file) {
      throw new UnsupportedOperationException();
    }

    @Override
    public SliceReader openReader(
        StorageFile file,
        FileMetadata metadata,
        Schema columns,
        long firstRow,
        long rowCount,
        ScratchMemory memory) {
      throw new UnsupportedOperationException();
    }
  }

  /// Cannot be made.
  public static final class Unmade extends Format {
    /// Made by `ServiceLoader`.
    public Unmade() {
      throw new IllegalStateException("no licence");
    }
  }

  /// Its class cannot be used.
  public static final class Unlinked extends Format {
    private static final String NATIVE = load();

    /// Made by `ServiceLoader`.
    public Unlinked() {
      super(NATIVE);
    }

    private static String load() {
      throw new UnsatisfiedLinkError("no outsider in java.library.path");
    }
  }

  /// Has no name.
  public static final class Nameless extends Format {
    /// Made by `ServiceLoader`.
    public Nameless() {}

    @Override
    @SuppressWarnings("NullAway") // the mistake
    public @Nullable String name() {
      return null;
    }
  }

  /// Has no first bytes, and does not say so.
  public static final class Unmarked extends Format {
    /// Made by `ServiceLoader`.
    public Unmarked() {
      super("unmarked");
    }

    @Override
    @SuppressWarnings("NullAway") // the mistake
    public byte @Nullable [] magic() {
      return null;
    }
  }

  /// Has the name of another format.
  public static final class Second extends Format {
    /// Made by `ServiceLoader`.
    public Second() {
      super("csv");
    }
  }

  /// Has the extension of another format.
  public static final class Alike extends Format {
    /// Made by `ServiceLoader`.
    public Alike() {
      super("alike");
    }

    @Override
    public List<String> extensions() {
      return List.of("json");
    }
  }

  /// A store for a scheme that another serves.
  public static final class Disk implements Storage {
    /// Made by `ServiceLoader`.
    public Disk() {}

    @Override
    public List<String> schemes() {
      return List.of("file");
    }

    @Override
    public Optional<FileEntry> stat(Location location) {
      throw new UnsupportedOperationException();
    }

    @Override
    public List<FileEntry> list(Location folder) {
      throw new UnsupportedOperationException();
    }

    @Override
    public StorageFile open(Location location) {
      throw new UnsupportedOperationException();
    }
  }
}
