package dev.penstock.benchmarks.formats.peers;

import dev.penstock.benchmarks.formats.Columns;
import dev.penstock.benchmarks.formats.FormatReader;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import org.apache.hadoop.conf.Configuration;
import org.apache.orc.OrcFile;
import org.apache.orc.Reader;
import org.apache.orc.RecordReader;
import org.apache.orc.storage.ql.exec.vector.BytesColumnVector;
import org.apache.orc.storage.ql.exec.vector.ColumnVector;
import org.apache.orc.storage.ql.exec.vector.DoubleColumnVector;
import org.apache.orc.storage.ql.exec.vector.LongColumnVector;
import org.apache.orc.storage.ql.exec.vector.VectorizedRowBatch;

/// orc-core, in batches of columns.
public final class OrcReader implements FormatReader {
  private static final Configuration HADOOP = new Configuration();

  /// Made as a service.
  public OrcReader() {}

  @Override
  public String name() {
    return "orc-core";
  }

  @Override
  public Columns read(Path file) throws IOException {
    Columns columns = new Columns();
    var path = new org.apache.hadoop.fs.Path(file.toUri());
    try (Reader reader = OrcFile.createReader(path, OrcFile.readerOptions(HADOOP));
        RecordReader rows = reader.rows()) {
      VectorizedRowBatch batch = reader.getSchema().createRowBatch(4096);
      while (rows.nextBatch(batch)) {
        for (int row = 0; row < batch.size; row++) {
          columns.addRow();
          for (int i = 0; i < batch.numCols; i++) {
            copy(batch.cols[i], row, columns, i);
          }
        }
      }
    }
    return columns;
  }

  private static void copy(ColumnVector from, int row, Columns to, int column) {
    int at = from.isRepeating ? 0 : row;
    if (from instanceof DoubleColumnVector doubles) {
      boolean isNull = !from.noNulls && from.isNull[at];
      to.set(column, isNull ? Double.NaN : doubles.vector[at]);
    } else if (from instanceof LongColumnVector longs) {
      to.set(column, longs.vector[at]);
    } else {
      BytesColumnVector texts = (BytesColumnVector) from;
      to.set(
          column,
          new String(texts.vector[at], texts.start[at], texts.length[at], StandardCharsets.UTF_8));
    }
  }
}
