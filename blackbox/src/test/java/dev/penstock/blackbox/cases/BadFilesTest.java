package dev.penstock.blackbox.cases;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.penstock.BadFile;
import dev.penstock.DataLoader;
import dev.penstock.OnBadFile;
import dev.penstock.StructuredDataset;
import dev.penstock.blackbox.contract.Delivery;
import dev.penstock.blackbox.files.ParquetFiles;
import dev.penstock.blackbox.files.Tables;
import dev.penstock.options.LoaderOptions;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.stream.LongStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Files that cannot be read are an error, or left out on request, which is told.
class BadFilesTest {
  private static final List<Long> GOOD_IDS =
      LongStream.range(0, 90).filter(id -> id < 30 || id >= 60).boxed().toList();

  @TempDir Path folder;

  @BeforeEach
  void write() throws IOException {
    int[] file = {20, 10};
    new ParquetFiles().write(folder, Tables.counting(file, file, file), new Random(1));
  }

  private Path cut(String name) throws IOException {
    Path path = folder.resolve(name);
    byte[] bytes = Files.readAllBytes(path);
    Files.write(path, Arrays.copyOf(bytes, bytes.length - 20));
    return path;
  }

  private static List<Long> ids(StructuredDataset dataset) {
    try (DataLoader loader = DataLoader.of(dataset, o -> o.batchSize(7).workers(2))) {
      return Delivery.ofEpoch(loader).ids();
    }
  }

  private StructuredDataset dataset() {
    return new StructuredDataset(folder.toString());
  }

  @Test
  void badFileIsAnErrorUnlessItIsToBeLeftOut() throws IOException {
    Path bad = cut("part-1.parquet");
    assertThatThrownBy(() -> ids(dataset()))
        .isInstanceOf(UncheckedIOException.class)
        .hasMessageContaining(bad.toString());
    StructuredDataset skipping = dataset().onBadFile(OnBadFile.SKIP);
    try (DataLoader loader = DataLoader.of(skipping, LoaderOptions.defaults())) {
      assertThat(loader.stats().badFiles()).isZero(); // nothing is read to tell it
      assertThat(skipping.files()).hasSize(2);
      assertThat(loader.stats().badFiles()).isEqualTo(1);
      loader.iterator().close();
      assertThat(loader.stats().badFiles()).isEqualTo(1);
    }
    assertThat(ids(skipping)).isEqualTo(GOOD_IDS);
    assertThat(skipping.badFiles()).hasSize(1);
    BadFile left = skipping.badFiles().getFirst();
    assertThat(left.location().text()).isEqualTo(bad.toString());
    assertThat(left.reason()).startsWith("Corrupt Parquet file").contains(bad.toString());
  }

  @Test
  void whatIsDerivedFromItLeavesThemOutToo() throws IOException {
    cut("part-1.parquet");
    Files.write(folder.resolve("part-3.parquet"), new byte[0]);
    Files.writeString(folder.resolve("part-4.parquet"), "no rows, but text, of some length");
    StructuredDataset skipping = dataset().onBadFile(OnBadFile.SKIP).columns("id");
    assertThat(ids(skipping.where("id >= 10 and id < 70")))
        .isEqualTo(GOOD_IDS.stream().filter(id -> id >= 10 && id < 70).toList());
    assertThat(skipping.badFiles()).hasSize(3);
    assertThatThrownBy(() -> ids(skipping.onBadFile(OnBadFile.FAIL)))
        .isInstanceOf(UncheckedIOException.class);
  }

  @Test
  void goodFilesAndStatesOfThemStayTheSame() throws IOException {
    StructuredDataset all = dataset().onBadFile(OnBadFile.SKIP);
    assertThat(ids(all)).isEqualTo(LongStream.range(0, 90).boxed().toList());
    assertThat(all.badFiles()).isEmpty();
    cut("part-1.parquet");
    StructuredDataset good =
        new StructuredDataset(
            folder.resolve("part-0.parquet").toString(),
            folder.resolve("part-2.parquet").toString());
    StructuredDataset skipping = dataset().onBadFile(OnBadFile.SKIP);
    try (DataLoader stopped = DataLoader.of(good, o -> o.batchSize(7));
        DataLoader resumed = DataLoader.of(skipping, o -> o.batchSize(7))) {
      stopped.iterator().next().close();
      resumed.resume(stopped.state());
      assertThat(Delivery.ofEpoch(resumed).ids()).isEqualTo(GOOD_IDS.subList(7, 60));
    }
  }

  @Test
  void badTextIsFoundByItsHeaderAndItsSample() throws IOException {
    Path texts = Files.createDirectory(folder.resolve("texts"));
    Files.writeString(texts.resolve("0.csv"), "a,b\n1,2\n");
    Files.writeString(texts.resolve("1.csv"), "\n\n");
    Files.write(texts.resolve("2.csv"), "a\0b\0".getBytes(StandardCharsets.UTF_8));
    StructuredDataset skipping = new StructuredDataset(texts.toString()).onBadFile(OnBadFile.SKIP);
    assertThat(ReadText.rows(skipping)).containsExactly(List.of(1L, 2L));
    assertThat(skipping.badFiles()).hasSize(2);
  }

  @Test
  void filesThatAreAllBadAndOnesThatAreNotThereAreAnError() throws IOException {
    for (String name : List.of("part-0.parquet", "part-1.parquet", "part-2.parquet")) {
      cut(name);
    }
    assertThatThrownBy(() -> ids(dataset().onBadFile(OnBadFile.SKIP)))
        .isInstanceOf(UncheckedIOException.class)
        .hasMessageContaining("part-0.parquet");
    StructuredDataset gone = new StructuredDataset(folder.resolve("gone.parquet").toString());
    assertThatThrownBy(() -> ids(gone.onBadFile(OnBadFile.SKIP)))
        .hasMessageContaining("no such file");
  }
}
