package dev.penstock.internal.table;

import dev.penstock.format.RowGroup;
import dev.penstock.internal.cache.CachedFile;
import dev.penstock.internal.cache.Piles;
import dev.penstock.schema.Schema;
import dev.penstock.spi.format.FileFormat;
import dev.penstock.spi.format.FileMetadata;
import dev.penstock.spi.format.ScratchMemory;
import dev.penstock.spi.format.SliceReader;
import dev.penstock.spi.storage.FileEntry;
import dev.penstock.spi.storage.Storage;
import dev.penstock.spi.storage.StorageFile;
import dev.penstock.split.DataFileInfo;
import dev.penstock.storage.Location;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/// A pile of rows as a file of a table. Its rows are in a cache and nowhere else.
record PileFile(Schema schema, List<RowGroup> rowGroups) implements FileMetadata {
  static TableFile of(Piles piles, int pile, int rows, Schema schema) {
    CachedFile kept = piles.file(pile);
    Location location = Location.of(kept.folder().path().resolve("pile-" + pile));
    List<RowGroup> all = List.of(new RowGroup(rows, 0));
    return new TableFile(
        new DataFileInfo(location, 0, all, List.of(), Optional.empty()),
        "",
        Footer.of(new PileFile(schema, all)),
        new Format(piles, pile),
        new Nowhere(),
        FileColumns.alone(schema, List.of(), Map.of()),
        Deletes.NONE,
        Optional.of(new TableFile.Cached(kept.folder(), Map.of(), kept)));
  }

  /// Fails to read rows that are not in the cache any more.
  private record Format(Piles piles, int pile) implements FileFormat {
    @Override
    public String name() {
      return "pile";
    }

    @Override
    public List<String> extensions() {
      return List.of();
    }

    @Override
    public byte[] magic() {
      return new byte[0];
    }

    @Override
    public FileMetadata readMetadata(StorageFile file) throws IOException {
      throw piles.gone(pile);
    }

    @Override
    public SliceReader openReader(
        StorageFile file,
        FileMetadata metadata,
        Schema columns,
        long firstRow,
        long rowCount,
        ScratchMemory memory)
        throws IOException {
      throw piles.gone(pile);
    }
  }

  private record Nowhere() implements Storage {
    @Override
    public List<String> schemes() {
      return List.of();
    }

    @Override
    public Optional<FileEntry> stat(Location location) {
      return Optional.empty();
    }

    @Override
    public List<FileEntry> list(Location folder) {
      return List.of();
    }

    @Override
    public StorageFile open(Location location) throws IOException {
      throw new IOException("There is no file '" + location + "'.");
    }
  }
}
