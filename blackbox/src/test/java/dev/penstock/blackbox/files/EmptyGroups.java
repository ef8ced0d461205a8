package dev.penstock.blackbox.files;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Iterator;
import java.util.List;
import org.apache.parquet.format.ColumnChunk;
import org.apache.parquet.format.ColumnMetaData;
import org.apache.parquet.format.CompressionCodec;
import org.apache.parquet.format.Encoding;
import org.apache.parquet.format.FileMetaData;
import org.apache.parquet.format.RowGroup;
import org.apache.parquet.format.SchemaElement;
import org.apache.parquet.format.Util;

/// Puts row groups without rows into a Parquet file's footer, as some writers do; parquet-java
/// refuses to.
final class EmptyGroups {
  private static final int TAIL_BYTES = 8;

  private EmptyGroups() {}

  /// Adds empty row groups where `groups` has them, the others being in the file already.
  static void insert(Path path, List<? extends List<?>> groups) throws IOException {
    byte[] file = Files.readAllBytes(path);
    int length =
        ByteBuffer.wrap(file, file.length - TAIL_BYTES, 4).order(ByteOrder.LITTLE_ENDIAN).getInt();
    int start = file.length - TAIL_BYTES - length;
    FileMetaData footer = Util.readFileMetaData(new ByteArrayInputStream(file, start, length));
    List<RowGroup> full = new ArrayList<>(footer.getRow_groups());
    List<RowGroup> all = new ArrayList<>();
    for (List<?> group : groups) {
      all.add(group.isEmpty() ? empty(footer.getSchema()) : full.removeFirst());
    }
    footer.setRow_groups(all);
    ByteArrayOutputStream made = new ByteArrayOutputStream();
    made.write(file, 0, start);
    Util.writeFileMetaData(footer, made);
    byte[] tail =
        ByteBuffer.allocate(TAIL_BYTES)
            .order(ByteOrder.LITTLE_ENDIAN)
            .putInt(made.size() - start)
            .put("PAR1".getBytes(StandardCharsets.US_ASCII))
            .array();
    made.write(tail, 0, TAIL_BYTES);
    Files.write(path, made.toByteArray());
  }

  private static RowGroup empty(List<SchemaElement> schema) {
    List<ColumnChunk> chunks = new ArrayList<>();
    addLeaves(schema.iterator(), List.of(), chunks);
    return new RowGroup(chunks, 0, 0);
  }

  /// Takes an element and all that is below it, in depth-first order.
  private static void addLeaves(
      Iterator<SchemaElement> schema, List<String> above, List<ColumnChunk> chunks) {
    SchemaElement element = schema.next();
    List<String> path = new ArrayList<>(above);
    path.add(element.getName());
    for (int child = 0; child < element.getNum_children(); child++) {
      addLeaves(schema, path, chunks);
    }
    if (element.isSetType()) {
      ColumnMetaData metadata =
          new ColumnMetaData(
              element.getType(),
              Arrays.asList(Encoding.PLAIN),
              path.subList(1, path.size()),
              CompressionCodec.UNCOMPRESSED,
              0,
              0,
              0,
              4);
      chunks.add(new ColumnChunk(4).setMeta_data(metadata));
    }
  }
}
