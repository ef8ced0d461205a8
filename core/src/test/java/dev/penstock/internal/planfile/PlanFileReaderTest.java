package dev.penstock.internal.planfile;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.penstock.format.MalformedFileException;
import dev.penstock.format.RowGroup;
import dev.penstock.internal.table.FileSchema;
import dev.penstock.schema.Schema;
import dev.penstock.spi.storage.StorageFile;
import dev.penstock.storage.Location;
import dev.penstock.testing.BytesFile;
import dev.penstock.testing.Seeded;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Test;

class PlanFileReaderTest {
  @Seeded(runs = 200)
  void readsWhatWasWritten(Random random) throws IOException {
    RandomPlan any = new RandomPlan(random);
    PlanFile plan = any.plan(random.nextInt(200));
    PlanDetails details = any.details(plan);

    byte[] bytes = PlanFileWriter.write(plan, details);

    PlanFileReader reader = PlanFileReader.open(new BytesFile(bytes));
    assertThat(reader.plan()).isEqualTo(plan);
    assertThat(RandomPlan.all(plan, reader.details())).isEqualTo(RandomPlan.all(plan, details));
    assertThat(PlanFileWriter.write(reader.plan(), reader.details())).isEqualTo(bytes);
  }

  @Seeded(runs = 20)
  void eachDamagedByteIsNoticed(Random random) throws IOException {
    RandomPlan any = new RandomPlan(random);
    PlanFile plan = any.plan(1 + random.nextInt(20));
    byte[] bytes = PlanFileWriter.write(plan, any.details(plan));
    for (int at = 0; at < bytes.length; at++) {
      byte[] damaged = bytes.clone();
      damaged[at] ^= (byte) (1 << random.nextInt(8));
      assertThatThrownBy(() -> readAll(damaged))
          .as("byte %s of %s", at, bytes.length)
          .isInstanceOf(MalformedFileException.class)
          .hasMessageStartingWith("Corrupt plan: ")
          .hasMessageContaining("Remove it and make it anew. [memory://file, ");
    }
  }

  @Seeded(runs = 20)
  void eachCutIsNoticed(Random random) throws IOException {
    RandomPlan any = new RandomPlan(random);
    PlanFile plan = any.plan(1 + random.nextInt(20));
    byte[] bytes = PlanFileWriter.write(plan, any.details(plan));
    for (int length = 0; length < bytes.length; length++) {
      byte[] cut = Arrays.copyOf(bytes, length);
      assertThatThrownBy(() -> readAll(cut)).isInstanceOf(MalformedFileException.class);
    }
  }

  private static void readAll(byte[] bytes) throws IOException {
    PlanFileReader reader = PlanFileReader.open(new BytesFile(bytes));
    RandomPlan.all(reader.plan(), reader.details());
  }

  @Test
  void damagedBlockIsNamedWithItsFiles() throws IOException {
    byte[] bytes = PlanFileWriter.write(numbered(5000), PlanDetails.NONE);
    bytes[10]++;

    assertThatThrownBy(() -> PlanFileReader.open(new BytesFile(bytes)))
        .isInstanceOf(MalformedFileException.class)
        .hasMessageMatching(
            "Corrupt plan: its checksum is [0-9a-f]{8} but expected [0-9a-f]{8}\\. Remove it and"
                + " make it anew\\. \\[memory://file, block 0, files 0 to 4095, byte 0\\]");
  }

  @Test
  void otherFilesAndLaterVersionsAreRefused() throws IOException {
    byte[] plan = PlanFileWriter.write(numbered(1), PlanDetails.NONE);
    plan[plan.length - 12]++;
    assertThatThrownBy(() -> PlanFileReader.open(new BytesFile(plan)))
        .hasMessageContaining("it is of version 2 but expected 1");
    assertThatThrownBy(() -> PlanFileReader.open(new BytesFile(new byte[100])))
        .hasMessageContaining("it does not end as a plan does");
    assertThatThrownBy(() -> PlanFileReader.open(new BytesFile(new byte[3])))
        .hasMessageContaining("it has 3 bytes but expected at least 32");
  }

  @Test
  void readsAllFilesByTwoRequests() throws IOException {
    PlanFile plan = numbered(20_000);
    List<Long> offsets = new ArrayList<>();

    PlanFile read = PlanFileReader.open(counted(plan, offsets)).plan();

    assertThat(read).isEqualTo(plan);
    assertThat(offsets).hasSize(2).contains(0L);
  }

  @Test
  void readsASmallPlanByOneRequest() throws IOException {
    List<Long> offsets = new ArrayList<>();
    PlanFileReader.open(counted(numbered(100), offsets));
    assertThat(offsets).hasSize(1);
  }

  private static StorageFile counted(PlanFile plan, List<Long> offsets) throws IOException {
    BytesFile bytes = new BytesFile(PlanFileWriter.write(plan, PlanDetails.NONE));
    return new StorageFile() {
      @Override
      public Location location() {
        return bytes.location();
      }

      @Override
      public long size() {
        return bytes.size();
      }

      @Override
      public String version() {
        return bytes.version();
      }

      @Override
      public long read(long offset, MemorySegment target) throws IOException {
        offsets.add(offset);
        return bytes.read(offset, target);
      }

      @Override
      public void close() {}
    };
  }

  /// Returns a plan of files of ten row groups.
  private static PlanFile numbered(int count) {
    Random random = new Random(7);
    List<PlannedFile> files = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      List<RowGroup> groups = new ArrayList<>();
      for (int group = 0; group < 10; group++) {
        long rows = group < 9 ? 1_000_000 : 1 + random.nextInt(1_000_000);
        groups.add(new RowGroup(rows, (long) (rows * (100 + 0.5 * random.nextGaussian()))));
      }
      Location name = new Location("s3://bucket/events/part-" + (100_000 + i) + ".parquet");
      long bytes = (1L << 30) + random.nextInt(1 << 24);
      String version = "\"%016x%016x\"".formatted(random.nextLong(), random.nextLong());
      files.add(new PlannedFile(name, bytes, version, List.of(), 0, groups, groups));
    }
    FileSchema schema = new FileSchema(Schema.of(List.of()), "", false, false);
    PlanOrigin origin = new PlanOrigin(List.of("a"), "", "parquet", Map.of(), Map.of());
    return new PlanFile("", origin, List.of(schema), files);
  }

  @Test
  void aRowGroupTakesThreeBytesAndAFileTwentyBesideItsName() throws IOException {
    PlanFile plan = numbered(20_000);
    BlockWriter names = new BlockWriter();
    names.texts(plan.files().stream().map(file -> file.location().text()).toList());

    int bytes = PlanFileWriter.write(plan, PlanDetails.NONE).length;

    assertThat(bytes - Packed.pack(names.bytes()).length).isLessThan(20_000 * (20 + 10 * 3));
  }
}
