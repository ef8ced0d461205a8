package dev.penstock.internal.planfile;

import static org.assertj.core.api.Assertions.assertThat;

import dev.penstock.format.MalformedFileException;
import dev.penstock.spi.format.ColumnStatistics;
import dev.penstock.spi.format.RowSet;
import dev.penstock.testing.BytesFile;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.function.Consumer;

/// The fuzz target of plan files. The first byte says what the others are: a whole file, or, as
/// checksums keep damage from them, the contents of an index or of a block, behind two numbers.
///
/// What is read has to be the same when it is written and read once more.
public final class FuzzPlans {
  private static final int FILE = 0;
  private static final int INDEX = 1;
  private static final int FILES = 2;
  private static final int STATISTICS = 3;
  private static final int KINDS = 5; // the last is matches
  private static final int SCHEMAS = 3;

  private FuzzPlans() {}

  /// Runs on one input.
  public static void plan(byte[] data) throws IOException {
    if (data.length < 6) {
      return;
    }
    int number = ByteBuffer.wrap(data).getInt(1);
    int small = data[5] & 0xff;
    byte[] rest = Arrays.copyOfRange(data, 6, data.length);
    int groups = number & 0xffff;
    switch ((data[0] & 0xff) % KINDS) {
      case FILE -> file(rest);
      case INDEX -> refusedOr(() -> index(rest, number));
      case FILES -> refusedOr(() -> files(rest, small, groups));
      case STATISTICS -> refusedOr(() -> statistics(rest, groups));
      default -> refusedOr(() -> matches(rest, small, groups));
    }
  }

  private static void file(byte[] bytes) throws IOException {
    try {
      PlanFileReader reader = PlanFileReader.open(new BytesFile(bytes));
      RandomPlan.all(reader.plan(), reader.details());
    } catch (MalformedFileException e) {
      assertThat(e).hasMessageContaining("[memory://file");
    }
  }

  private static void refusedOr(Runnable read) {
    try {
      read.run();
    } catch (IllegalArgumentException | ArithmeticException _) {
      // Refused; only whole files have places.
    }
  }

  private static BlockReader again(Consumer<BlockWriter> write) {
    BlockWriter block = new BlockWriter();
    write.accept(block);
    return new BlockReader(block.bytes());
  }

  private static void index(byte[] bytes, int blockBytes) {
    PlanIndex index = PlanIndex.read(new BlockReader(bytes), blockBytes);
    assertThat(PlanIndex.read(again(index::write), blockBytes)).isEqualTo(index);
  }

  private static void files(byte[] bytes, int count, int groups) {
    List<PlannedFile> files = FilesCode.read(new BlockReader(bytes), count, groups, SCHEMAS);
    BlockReader written = again(block -> FilesCode.write(block, files));
    assertThat(FilesCode.read(written, count, groups, SCHEMAS)).isEqualTo(files);
  }

  private static void statistics(byte[] bytes, int groups) {
    List<ColumnStatistics> read = StatisticsCode.read(new BlockReader(bytes), groups);
    BlockReader written = again(block -> StatisticsCode.write(block, read));
    assertThat(StatisticsCode.read(written, groups)).isEqualTo(read);
  }

  private static void matches(byte[] bytes, int files, int rows) {
    long[] all = new long[files];
    Arrays.fill(all, rows);
    List<Optional<RowSet>> read = MatchesCode.read(new BlockReader(bytes), all);
    BlockReader written = again(block -> MatchesCode.write(block, read, all));
    List<Optional<RowSet>> more = MatchesCode.read(written, all);
    for (int i = 0; i < files; i++) {
      assertThat(RandomPlan.rows(more.get(i), rows)).isEqualTo(RandomPlan.rows(read.get(i), rows));
    }
  }

  /// Makes a good input.
  public static byte[] seed(Random random) throws IOException {
    RandomPlan any = new RandomPlan(random);
    PlanFile plan = any.plan(1 + random.nextInt(8));
    PlanDetails details = any.details(plan);
    int kind = random.nextInt(KINDS);
    BlockWriter block = new BlockWriter();
    int files = plan.files().size();
    int number = (int) plan.files().stream().mapToLong(file -> file.stored().size()).sum();
    switch (kind) {
      case FILE -> {
        byte[] bytes = PlanFileWriter.write(plan, details);
        block.raw(bytes, 0, bytes.length);
      }
      case INDEX -> {
        new PlanIndex(
                plan.hash(),
                new PlanOrigin(plan.origin().locations(), "", "csv", Map.of("k", "v"), Map.of()),
                plan.schemas(),
                List.of(new PlanIndex.Block(0, 0, files, number, 0, 5000, 9000, 1234)))
            .write(block);
        number = 5000;
      }
      case FILES -> FilesCode.write(block, plan.files());
      case STATISTICS -> {
        number = 1 + random.nextInt(50);
        StatisticsCode.write(block, any.someStatistics(number));
      }
      default -> {
        long[] rows = new long[files];
        number = 100;
        Arrays.fill(rows, number);
        MatchesCode.write(block, Arrays.stream(rows).mapToObj(any::matches).toList(), rows);
      }
    }
    byte[] bytes = block.bytes();
    return ByteBuffer.allocate(6 + bytes.length)
        .put((byte) kind)
        .putInt(number)
        .put((byte) files)
        .put(bytes)
        .array();
  }
}
