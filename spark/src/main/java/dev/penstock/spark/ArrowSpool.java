package dev.penstock.spark;

import java.io.BufferedOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.channels.Channels;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Iterator;
import java.util.Set;
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
  private static final FileAttribute<?> OWNER_ONLY =
      PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------"));
  private static final boolean REFUSE_EQUAL_NAMES = true;
  private static final boolean LARGE_TYPES = false;

  private ArrowSpool() {}

  static void write(Iterator<InternalRow> rows, StructType schema, String zone, Path file)
      throws IOException {
    try (OutputStream out = new BufferedOutputStream(made(file))) {
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

  /// Makes a file that only this user may read, where the system knows of that.
  private static OutputStream made(Path file) throws IOException {
    boolean isPosix = file.getFileSystem().supportedFileAttributeViews().contains("posix");
    FileAttribute<?>[] modes =
        isPosix ? new FileAttribute<?>[] {OWNER_ONLY} : new FileAttribute<?>[0];
    return Channels.newOutputStream(
        Files.newByteChannel(
            file, Set.of(StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE), modes));
  }
}
