package dev.penstock.orc;

import dev.penstock.spi.format.FilePlace;
import dev.penstock.spi.format.PageStatistics;
import dev.penstock.spi.storage.StorageFile;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.apache.orc.OrcProto;
import org.apache.orc.impl.BufferChunk;
import org.apache.orc.impl.InStream;
import org.jspecify.annotations.Nullable;

/// Reads the row index of a column in a stripe: statistics for each stride of rows.
final class StrideStatistics {
  private StrideStatistics() {}

  static List<PageStatistics> read(StorageFile file, OrcMetadata metadata, int stripe, String name)
      throws IOException {
    int stride = metadata.tail().getFooter().getRowIndexStride();
    Optional<OrcColumn> column = metadata.find(name);
    long rows = metadata.rowGroups().get(stripe).rowCount();
    if (column.isEmpty() || stride <= 0 || rows <= stride) {
      return List.of(); // A single stride adds nothing to the stripe's statistics.
    }
    FilePlace where =
        new FilePlace(file.location(), "stripe " + stripe).and("column '" + name + "'");
    try {
      OrcProto.RowIndex index = index(file, metadata, stripe, column.get().id());
      if (index == null) {
        return List.of();
      }
      if (index.getEntryCount() != Math.ceilDiv(rows, stride)) {
        throw where.fail(
            -1,
            "Corrupt ORC row index: it has "
                + index.getEntryCount()
                + " entries but "
                + rows
                + " rows in strides of "
                + stride
                + " need "
                + Math.ceilDiv(rows, stride)
                + ".");
      }
      List<PageStatistics> pages = new ArrayList<>();
      for (int i = 0; i < index.getEntryCount(); i++) {
        long first = (long) i * stride;
        long count = Math.min(stride, rows - first);
        OrcProto.ColumnStatistics stated = index.getEntry(i).getStatistics();
        pages.add(
            new PageStatistics(
                first, count, StatedStatistics.of(column.get(), stated, count, metadata)));
      }
      return List.copyOf(pages);
    } catch (IOException | RuntimeException | OutOfMemoryError e) {
      throw StoredBytes.explained(e, where, "its row index");
    }
  }

  private static OrcProto.@Nullable RowIndex index(
      StorageFile file, OrcMetadata metadata, int stripe, int id) throws IOException {
    long offset = metadata.stripes().get(stripe).offset();
    for (OrcProto.Stream stream : StoredBytes.footer(file, metadata, stripe).getStreamsList()) {
      if (stream.getKind() == OrcProto.Stream.Kind.ROW_INDEX && stream.getColumn() == id) {
        return index(file, metadata, stripe, new StripeStreams.Place(offset, stream.getLength()));
      }
      offset += stream.getLength();
    }
    return null;
  }

  /// Reads the row index at a position.
  static OrcProto.RowIndex index(
      StorageFile file, OrcMetadata metadata, int stripe, StripeStreams.Place place)
      throws IOException {
    byte[] read = StoredBytes.read(file, place.start(), place.start() + place.length());
    try (StoredBytes bytes = new StoredBytes(file, metadata, stripe, new boolean[0], false, null)) {
      return OrcProto.RowIndex.parseFrom(
          InStream.createCodedInputStream(
              InStream.create(
                  "index",
                  new BufferChunk(ByteBuffer.wrap(read), 0),
                  0,
                  place.length(),
                  bytes.getCompressionOptions())));
    } catch (RuntimeException e) {
      throw new IOException("a row index cannot be decoded: " + e.getMessage(), e);
    }
  }
}
