package dev.penstock.benchmarks;

import dev.penstock.schema.Field;
import dev.penstock.spi.format.FileFormat;
import dev.penstock.spi.format.FileMetadata;
import dev.penstock.spi.storage.StorageFile;
import dev.penstock.storage.Location;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.lang.management.ManagementFactory;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.ServiceLoader;
import org.apache.parquet.format.FileMetaData;
import org.apache.parquet.format.RowGroup;
import org.apache.parquet.format.Util;

/// Takes in footers of Parquet files that lie in memory, on one thread: a line of a Markdown table
/// for each file, with processor microseconds and bytes of heap for each column of a row group.
public final class FooterRun {
  private static final int ROUNDS = 11;
  private static final long ROUND_NANOS = 200_000_000;
  private static final int KEPT = 10;

  private final FileFormat format;
  private final Held file;
  private final FileMetadata metadata;
  private final List<String> columns;
  private final long chunks;

  private FooterRun(FileFormat format, Held file) throws IOException {
    this.format = format;
    this.file = file;
    this.metadata = format.readMetadata(file);
    this.columns = metadata.schema().fields().stream().map(Field::name).toList();
    this.chunks = (long) columns.size() * metadata.rowGroups().size();
  }

  /// Runs it with files whose columns are all flat.
  ///
  /// @param paths the files
  /// @throws IOException if one of them cannot be read
  public static void main(String[] paths) throws IOException {
    FileFormat parquet =
        ServiceLoader.load(FileFormat.class).stream()
            .map(ServiceLoader.Provider::get)
            .filter(format -> format.name().equals("parquet"))
            .findFirst()
            .orElseThrow();
    for (String path : paths) {
      FooterRun run = new FooterRun(parquet, new Held(Files.readAllBytes(Path.of(path))));
      System.out.printf(
          "| %s | %,d | %.0f | %.3f | %.3f | %.3f | %.3f | %.0f |%n",
          Path.of(path).getFileName(),
          run.chunks,
          (double) run.file.footerBytes() / run.chunks,
          run.micros(run::thrift),
          run.micros(run::takeIn),
          run.micros(run::places),
          run.micros(run::statistics),
          run.heap());
    }
  }

  private interface Work {
    long run() throws IOException;
  }

  /// Returns the median of some rounds, for each column of a row group.
  private double micros(Work work) throws IOException {
    double[] rounds = new double[ROUNDS];
    long sum = 0;
    for (int i = 0; i < ROUNDS; i++) {
      long start = processorNanos();
      int times = 0;
      long taken;
      do {
        sum += work.run();
        times++;
        taken = processorNanos() - start;
      } while (taken < ROUND_NANOS);
      rounds[i] = taken / 1e3 / times / chunks;
    }
    if (sum == 0) {
      throw new IllegalStateException("Nothing was read.");
    }
    Arrays.sort(rounds);
    return rounds[ROUNDS / 2];
  }

  private static long processorNanos() {
    var system =
        ManagementFactory.getPlatformMXBean(com.sun.management.OperatingSystemMXBean.class);
    return system.getProcessCpuTime();
  }

  /// Reads the footer with the classes that parquet-java uses.
  private long thrift() throws IOException {
    int start = file.bytes.length - 8 - file.footerBytes();
    FileMetaData read =
        Util.readFileMetaData(new ByteArrayInputStream(file.bytes, start, file.footerBytes()));
    return Objects.requireNonNull(read.getRow_groups()).stream()
        .mapToLong(RowGroup::getNum_rows)
        .sum();
  }

  private long takeIn() throws IOException {
    return format.readMetadata(file).rowCount();
  }

  private long places() {
    long sum = 0;
    for (int group = 0; group < metadata.rowGroups().size(); group++) {
      for (String column : columns) {
        sum += metadata.valueCount(group, column).orElseThrow();
      }
    }
    return sum;
  }

  private long statistics() {
    long sum = 0;
    for (int group = 0; group < metadata.rowGroups().size(); group++) {
      for (String column : columns) {
        sum += metadata.statistics(group, column).valueCount().orElseThrow();
      }
    }
    return sum;
  }

  /// Returns the bytes of live heap for each column of a row group.
  private double heap() throws IOException {
    List<FileMetadata> kept = new ArrayList<>(KEPT);
    double before = used();
    for (int i = 0; i < KEPT; i++) {
      kept.add(format.readMetadata(file));
    }
    double taken = used() - before;
    if (kept.stream().mapToLong(FileMetadata::rowCount).sum() == 0) {
      throw new IllegalStateException("Nothing was read.");
    }
    return taken / KEPT / chunks;
  }

  private static double used() {
    System.gc();
    return ManagementFactory.getMemoryMXBean().getHeapMemoryUsage().getUsed();
  }

  private static final class Held implements StorageFile {
    private final byte[] bytes;

    Held(byte[] bytes) {
      this.bytes = bytes;
    }

    int footerBytes() {
      return ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN).getInt(bytes.length - 8);
    }

    @Override
    public Location location() {
      return new Location("memory://file");
    }

    @Override
    public long size() {
      return bytes.length;
    }

    @Override
    public String version() {
      return "";
    }

    @Override
    public byte[] bytes(long offset, int length) {
      return Arrays.copyOfRange(bytes, (int) offset, (int) offset + length);
    }

    @Override
    public long read(long offset, MemorySegment target) {
      MemorySegment.copy(MemorySegment.ofArray(bytes), offset, target, 0, target.byteSize());
      return target.byteSize();
    }

    @Override
    public void close() {}
  }
}
