package dev.penstock.spark;

import java.io.BufferedOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Iterator;
import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.sql.execution.arrow.ArrowConverters$;
import org.apache.spark.sql.types.StructType;
import scala.jdk.javaapi.CollectionConverters;

/// Writes rows as streams of Arrow's, one behind the other, each with one record batch.
///
/// Spark makes them, as it does for Python: types become Arrow's by its rules.
final class ArrowSpool {
  private static final int ROWS_MAX = 16_384; // of a record batch
  private static final long BYTES_MAX = 8L << 20; // as far as Spark can estimate them
  private static final boolean REFUSE_EQUAL_NAMES = true;
  private static final boolean LARGE_TYPES = false;

  private ArrowSpool() {}

  static void write(Iterator<InternalRow> rows, StructType schema, String zone, Path file)
      throws IOException {
    try (OutputStream out = new BufferedOutputStream(Files.newOutputStream(file))) {
      if (!rows.hasNext()) {
        out.write(
            ArrowConverters$.MODULE$.createEmptyArrowBatch(
                schema, zone, REFUSE_EQUAL_NAMES, LARGE_TYPES));
      }
      var streams =
          ArrowConverters$.MODULE$.toBatchWithSchemaIterator(
              CollectionConverters.asScala(rows),
              schema,
              ROWS_MAX,
              BYTES_MAX,
              zone,
              REFUSE_EQUAL_NAMES,
              LARGE_TYPES);
      while (streams.hasNext()) {
        out.write(streams.next());
      }
    }
  }
}
