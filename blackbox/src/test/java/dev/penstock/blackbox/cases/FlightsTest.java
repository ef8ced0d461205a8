package dev.penstock.blackbox.cases;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.penstock.DataLoader;
import dev.penstock.StructuredDataset;
import dev.penstock.batch.Batch;
import dev.penstock.batch.NullPolicy;
import dev.penstock.batch.Tensor;
import dev.penstock.cli.Main;
import dev.penstock.options.LoaderOptions;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.LocalDateTime;
import java.time.format.DateTimeFormatter;
import java.time.temporal.ChronoUnit;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.apache.parquet.column.ColumnReader;
import org.apache.parquet.column.impl.ColumnReadStoreImpl;
import org.apache.parquet.column.page.PageReadStore;
import org.apache.parquet.example.data.simple.convert.GroupRecordConverter;
import org.apache.parquet.hadoop.ParquetFileReader;
import org.apache.parquet.io.LocalInputFile;
import org.apache.parquet.schema.MessageType;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/// Three million real rows, against what parquet-java reads.
class FlightsTest {
  private static final Path FILE =
      Path.of(
          Objects.requireNonNullElse(System.getProperty("penstock.shared"), "shared"),
          "data/flights/flights-3m.parquet");
  private static final int ROWS = 3_000_000;
  private static final List<String> NUMBERS = List.of("date", "delay", "distance");
  private static final List<String> TEXTS = List.of("origin", "destination");

  @BeforeEach
  void fileIsThere() {
    assumeTrue(Files.exists(FILE), () -> "no file " + FILE);
  }

  /// The rows as parquet-java reads them, one after the other.
  private static final class Oracle implements AutoCloseable {
    private final ParquetFileReader reader;
    private final ColumnReader[] columns = new ColumnReader[NUMBERS.size() + TEXTS.size()];
    private long left;

    final Long[] numbers = new Long[NUMBERS.size()];
    final byte[][] texts = new byte[TEXTS.size()][];

    Oracle() throws IOException {
      reader = ParquetFileReader.open(new LocalInputFile(FILE));
    }

    boolean next() throws IOException {
      if (left == 0 && !nextGroup()) {
        return false;
      }
      left--;
      for (int c = 0; c < columns.length; c++) {
        ColumnReader column = columns[c];
        boolean present =
            column.getCurrentDefinitionLevel() == column.getDescriptor().getMaxDefinitionLevel();
        if (c < numbers.length) {
          numbers[c] = present ? (Long) column.getLong() : null;
        } else {
          texts[c - numbers.length] = present ? column.getBinary().getBytes() : null;
        }
        column.consume();
      }
      return true;
    }

    private boolean nextGroup() throws IOException {
      PageReadStore group = reader.readNextRowGroup();
      if (group == null) {
        return false;
      }
      MessageType schema = reader.getFileMetaData().getSchema();
      var store =
          new ColumnReadStoreImpl(
              group,
              new GroupRecordConverter(schema).getRootConverter(),
              schema,
              reader.getFileMetaData().getCreatedBy());
      for (int c = 0; c < columns.length; c++) {
        String name = c < NUMBERS.size() ? NUMBERS.get(c) : TEXTS.get(c - NUMBERS.size());
        columns[c] = store.getColumnReader(schema.getColumnDescription(new String[] {name}));
      }
      left = group.getRowCount();
      return true;
    }

    @Override
    public void close() throws IOException {
      reader.close();
    }
  }

  @Test
  void everyRowIsTheOneThatParquetJavaReads() throws IOException {
    LoaderOptions options = LoaderOptions.defaults().batchSize(10_000).nulls(NullPolicy.mask());
    StructuredDataset dataset = new StructuredDataset(FILE.toString());
    try (Oracle oracle = new Oracle();
        DataLoader inline = DataLoader.of(dataset, options.workers(0));
        DataLoader loader = DataLoader.of(dataset, options.workers(2))) {
      var other = inline.iterator();
      int rows = 0;
      for (Batch batch : loader) {
        try (batch;
            Batch same = other.next()) {
          requireSame(batch, same);
          requireSame(batch, oracle);
          rows += batch.rowCount();
        }
      }
      assertThat(rows).isEqualTo(ROWS);
      assertThat(oracle.next()).isFalse();
    }
  }

  private static void requireSame(Batch batch, Batch other) {
    for (String name : batch.names()) {
      if (TEXTS.contains(name)) {
        assertThat(batch.strings(name).equals(other.strings(name))).as(name).isTrue();
      } else {
        assertThat(batch.tensor(name).memory().mismatch(other.tensor(name).memory()))
            .as("first different byte of %s", name)
            .isEqualTo(-1);
      }
    }
  }

  /// Compares without an assertion per value, of which there are fifteen million.
  private static void requireSame(Batch batch, Oracle oracle) throws IOException {
    Tensor[] values = NUMBERS.stream().map(batch::tensor).toArray(Tensor[]::new);
    Tensor[] masks = NUMBERS.stream().map(n -> batch.tensor(n + ".mask")).toArray(Tensor[]::new);
    List<List<String>> texts = TEXTS.stream().map(batch::strings).toList();
    for (int row = 0; row < batch.rowCount(); row++) {
      assertThat(oracle.next()).isTrue();
      for (int c = 0; c < values.length; c++) {
        Long expected = oracle.numbers[c];
        if (masks[c].getBoolean(row) != (expected != null)
            || (expected != null && values[c].getLong(row) != expected)) {
          assertThat(values[c].getLong(row))
              .as("%s, row %s", NUMBERS.get(c), row)
              .isEqualTo(expected);
        }
      }
      for (int c = 0; c < oracle.texts.length; c++) {
        String text = texts.get(c).get(row);
        byte[] actual = text == null ? null : text.getBytes(StandardCharsets.UTF_8);
        if (!Arrays.equals(actual, oracle.texts[c])) {
          assertThat(actual).as("%s, row %s", TEXTS.get(c), row).isEqualTo(oracle.texts[c]);
        }
      }
    }
  }

  @Tag("outer")
  @Test
  void everyLineOfCatIsWhatAnotherProgramRenders() throws IOException {
    ByteArrayOutputStream errors = new ByteArrayOutputStream();
    try (Oracle oracle = new Oracle();
        ComparingStream out = new ComparingStream(oracle);
        PrintStream err = new PrintStream(errors, true, StandardCharsets.UTF_8)) {
      int status = Main.run(new String[] {"cat", "--workers", "2", FILE.toString()}, out, err);
      assertThat(errors.toString(StandardCharsets.UTF_8)).isEmpty();
      assertThat(status).isZero();
      assertThat(out.lines).isEqualTo(ROWS);
      assertThat(oracle.next()).isFalse();
    }
  }

  /// Takes the lines of `cat` and holds each against a rendered row of the oracle.
  private static final class ComparingStream extends OutputStream {
    private static final DateTimeFormatter MICROS =
        DateTimeFormatter.ofPattern("uuuu-MM-dd'T'HH:mm:ss.SSSSSS");

    private final Oracle oracle;
    private final Map<Long, String> dates = new HashMap<>();
    private byte[] expected = new byte[0];
    private int place;
    int lines;

    ComparingStream(Oracle oracle) {
      this.oracle = oracle;
    }

    @Override
    public void write(int b) throws IOException {
      write(new byte[] {(byte) b}, 0, 1);
    }

    @Override
    public void write(byte[] bytes, int from, int count) throws IOException {
      int done = 0;
      while (done < count) {
        if (place == expected.length) {
          assertThat(oracle.next()).as("a row for line %s", lines).isTrue();
          expected = line().getBytes(StandardCharsets.UTF_8);
          place = 0;
          lines++;
        }
        int length = Math.min(count - done, expected.length - place);
        int start = from + done;
        if (!Arrays.equals(bytes, start, start + length, expected, place, place + length)) {
          assertThat(new String(bytes, start, length, StandardCharsets.UTF_8))
              .as("line %s", lines)
              .isEqualTo(new String(expected, place, length, StandardCharsets.UTF_8));
        }
        place += length;
        done += length;
      }
    }

    private String line() {
      Long date = oracle.numbers[0];
      return "{\"date\":"
          + (date == null ? null : quoted(dates.computeIfAbsent(date, ComparingStream::date)))
          + ",\"delay\":"
          + oracle.numbers[1]
          + ",\"distance\":"
          + oracle.numbers[2]
          + ",\"origin\":"
          + text(oracle.texts[0])
          + ",\"destination\":"
          + text(oracle.texts[1])
          + "}\n";
    }

    private static String date(long micros) {
      return LocalDateTime.of(1970, 1, 1, 0, 0).plus(micros, ChronoUnit.MICROS).format(MICROS);
    }

    private static String text(byte[] bytes) {
      return bytes == null ? "null" : quoted(new String(bytes, StandardCharsets.UTF_8));
    }

    private static String quoted(String text) {
      return '"' + text + '"';
    }
  }
}
