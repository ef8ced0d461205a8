package dev.penstock.orc;

import dev.penstock.spi.format.FilePlace;
import dev.penstock.spi.format.PageStatistics;
import dev.penstock.spi.storage.StorageFile;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.apache.orc.OrcProto;
import org.apache.orc.impl.BufferChunk;
import org.apache.orc.impl.InStream;

/// Reads the row index of a column in a stripe: statistics for each stride of rows.
final class StrideStatistics {
  private StrideStatistics() {}

  static List<PageStatistics> read(StorageFile file, OrcMetadata metadata, int stripe, String name)
      throws IOException {
    int stride = metadata.tail().getFooter().getRowIndexStride();
    List<OrcColumn> path = metadata.leaf(name);
    long rows = metadata.rowGroups().get(stripe).rowCount();
    if (path.isEmpty() || stride <= 0 || rows <= stride) {
      return List.of(); // A single stride adds nothing to the stripe's statistics.
    }
    FilePlace where =
        new FilePlace(file.location(), "stripe " + stripe).and("column '" + name + "'");
    try {
      Map<Integer, OrcProto.RowIndex> indexes = indexes(file, metadata, stripe, path);
      if (indexes.size() < path.size()) {
        return List.of();
      }
      for (OrcProto.RowIndex index : indexes.values()) {
        if (index.getEntryCount() != Math.ceilDiv(rows, stride)) {
          throw where.fail(
              "Corrupt ORC row index: it has %s entries but %s rows in strides of %s need %s."
                  .formatted(index.getEntryCount(), rows, stride, Math.ceilDiv(rows, stride)));
        }
      }
      List<PageStatistics> pages = new ArrayList<>();
      for (long first = 0; first < rows; first += stride) {
        int entry = (int) (first / stride);
        long count = Math.min(stride, rows - first);
        pages.add(
            new PageStatistics(
                first,
                count,
                StatedStatistics.of(
                    path,
                    id -> Objects.requireNonNull(indexes.get(id)).getEntry(entry).getStatistics(),
                    count,
                    metadata)));
      }
      return List.copyOf(pages);
    } catch (IOException | RuntimeException | OutOfMemoryError e) {
      throw StoredBytes.explained(e, where, "its row index");
    }
  }

  /// Returns the row indexes of columns that have one, by id.
  private static Map<Integer, OrcProto.RowIndex> indexes(
      StorageFile file, OrcMetadata metadata, int stripe, List<OrcColumn> columns)
      throws IOException {
    Map<Integer, OrcProto.RowIndex> indexes = new HashMap<>();
    long offset = metadata.stripes().get(stripe).offset();
    for (OrcProto.Stream stream : StoredBytes.footer(file, metadata, stripe).getStreamsList()) {
      int id = stream.getColumn();
      if (stream.getKind() == OrcProto.Stream.Kind.ROW_INDEX
          && columns.stream().anyMatch(column -> column.id() == id)) {
        StripeStreams.Place place = new StripeStreams.Place(offset, stream.getLength());
        indexes.put(id, index(file, metadata, stripe, place));
      }
      offset += stream.getLength();
    }
    return indexes;
  }

  /// Reads the row index at a position.
  static OrcProto.RowIndex index(
      StorageFile file, OrcMetadata metadata, int stripe, StripeStreams.Place place)
      throws IOException {
    byte[] read = StoredBytes.read(file, place.start(), place.start() + place.length());
    try (StoredBytes bytes = new StoredBytes(file, metadata, stripe, new boolean[0], false, null)) {
      return OrcProto.RowIndex.parseFrom(
          Protobuf.bounded(
              InStream.createCodedInputStream(
                  InStream.create(
                      "index",
                      new BufferChunk(ByteBuffer.wrap(read), 0),
                      0,
                      place.length(),
                      bytes.getCompressionOptions())),
              place.length()));
    } catch (RuntimeException e) {
      throw new IOException("a row index cannot be decoded: " + e.getMessage(), e);
    }
  }
}
