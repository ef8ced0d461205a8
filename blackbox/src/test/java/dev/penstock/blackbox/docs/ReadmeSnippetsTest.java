package dev.penstock.blackbox.docs;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import dev.penstock.arrow.ArrowBatches;
import dev.penstock.device.DevicePrefetcher;
import dev.penstock.testing.English;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.apache.arrow.c.ArrowArray;
import org.apache.arrow.c.ArrowSchema;
import org.apache.arrow.c.Data;
import org.apache.arrow.vector.VectorSchemaRoot;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/// The code of the guides does what the text beside it says.
@ExtendWith({English.class, PageData.class})
class ReadmeSnippetsTest {
  // Of the flights of the clone: sums and counts were taken with pyarrow 26.
  private static final int ROWS = 300_000;
  private static final long MILES = 220_046_428;
  private static final long MINUTES = 2_023_783;
  private static final int LATE = 62_785; // by 15 minutes or more

  @Test
  void textIsReadInTheTypesThatAreStated() {
    assertThat(new ReadmeSnippets().csv()).hasToString("[[00501, 1,5], [null, 2]]");
  }

  @Test
  void quickStartTrainsOnEveryRowInEveryEpoch() {
    ReadmeSnippets snippets = new ReadmeSnippets();
    snippets.quickStart();
    assertThat(snippets.rows).isEqualTo(3 * ROWS);
    assertThat(snippets.sum).isEqualTo(3 * MILES);
  }

  /// The tutorial shows just what its program prints.
  @Test
  void firstTrainingPrintsWhatTheTutorialShows() throws IOException {
    assertThat(Files.readString(Snippets.ROOT.resolve("docs/tutorial/getting-started.md")))
        .contains("```\n" + PageData.printed(() -> FirstTraining.main(new String[0])) + "```\n");
  }

  @Test
  void stoppedTrainingGoesOnWithTheNextBatch() throws IOException {
    ReadmeSnippets whole = new ReadmeSnippets();
    whole.resume();
    Files.delete(Path.of("data/state.json"));
    ReadmeSnippets first = new ReadmeSnippets();
    first.rowsMax = 400_000;
    assertThatThrownBy(first::resume).hasMessage("power cut");
    ReadmeSnippets second = new ReadmeSnippets();
    second.resume();
    Files.delete(Path.of("data/state.json"));
    assertThat(first.rows).isBetween(400_000L, 400_511L);
    assertThat(first.rows + second.rows).isEqualTo(whole.rows).isEqualTo(3 * ROWS);
    assertThat(first.sum + second.sum).isEqualTo(whole.sum);
  }

  @Test
  void datasetInAnObjectStoreOpensNothingUntilAsked() {
    ReadmeSnippets snippets = new ReadmeSnippets();
    snippets.objectStores();
    snippets.huggingFace();
    snippets.delta();
    snippets.iceberg();
    assertThat(snippets.texts)
        .containsExactly(
            "s3://lake/flights/",
            "hf://datasets/OWNER/NAME/data/",
            "DeltaDataset s3://lake/flights, version 12, not opened yet",
            "IcebergDataset db.flights, snapshot of training, not opened yet");
  }

  @Test
  void memoryIsWithinWhatWasSet() {
    ReadmeSnippets snippets = new ReadmeSnippets();
    String printed = PageData.printed(snippets::memory);
    assertThat(snippets.rows).isEqualTo(ROWS);
    assertThat(Long.parseLong(printed.replace(" bytes at most\n", ""))).isBetween(1L, 64L << 20);
  }

  @Test
  void statsNameTheBottleneckAndEachWorker() {
    ReadmeSnippets snippets = new ReadmeSnippets();
    assertThat(PageData.printed(snippets::stats).lines())
        .satisfiesExactly(
            line -> assertThat(line).contains("bottleneck"),
            line -> assertThat(line).startsWith("WorkerStats[worker=0, isParked=false, times="),
            line -> assertThat(line).startsWith("WorkerStats[worker=1, isParked=false, times="));
    assertThat(snippets.rows).isEqualTo(ROWS);
  }

  @Test
  void reportIsOfTheLoader() throws IOException {
    ReadmeSnippets snippets = new ReadmeSnippets();
    snippets.report();
    assertThat(snippets.rows).isEqualTo(ROWS);
    assertThat(Path.of("data/run.html")).isNotEmptyFile();
  }

  @Test
  void rankHasItsShareAndStatesOfRanksTogetherAreTheEpoch() throws IOException {
    ReadmeSnippets snippets = new ReadmeSnippets();
    assertThat(PageData.printed(snippets::ranks)).isEqualTo("147 steps\n");
    assertThat(snippets.rows).isEqualTo(ROWS / 4);
    assertThat(snippets.sum).isEqualTo(55_070_466); // of rows [75000, 150000)
    ReadmeSnippets merged = new ReadmeSnippets();
    merged.merge();
    assertThat(merged.rows).isEqualTo(ROWS);
    assertThat(merged.sum).isEqualTo(MILES);
  }

  @Test
  void filtersChooseTheSameRowsInBothForms() {
    ReadmeSnippets snippets = new ReadmeSnippets();
    snippets.filters();
    assertThat(snippets.rows).isEqualTo(2 * 7332);
  }

  @Test
  void arrowVectorsGiveLabelsAndTokens() {
    ReadmeSnippets snippets = new ReadmeSnippets();
    assertThat(PageData.printed(snippets::arrow)).isEqualTo("1000 49500\n");
  }

  @Test
  void exportedArrowBatchesGiveAllRows() {
    MemorySegment array = Arena.ofAuto().allocate(80, 8);
    MemorySegment schema = Arena.ofAuto().allocate(72, 8);
    List<Integer> rows = new ArrayList<>();
    new ReadmeSnippets()
        .arrowCData(
            array,
            schema,
            () -> {
              try (VectorSchemaRoot root =
                  Data.importVectorSchemaRoot(
                      ArrowBatches.allocator(),
                      ArrowArray.wrap(array.address()),
                      ArrowSchema.wrap(schema.address()),
                      null)) {
                rows.add(root.getRowCount());
              }
            });
    assertThat(rows).containsExactly(512, 488);
  }

  @Test
  void gpuTrainsOnEveryRowOrThereIsNone() {
    ReadmeSnippets snippets = new ReadmeSnippets();
    if (DevicePrefetcher.devices() > 0) {
      snippets.device(0);
      assertThat(snippets.rows).isEqualTo(3 * ROWS);
    } else {
      assertThatThrownBy(() -> snippets.device(0)).hasMessageStartingWith("Cannot use a GPU: ");
    }
  }

  @Test
  void rowsHaveNumbers() {
    assertThat(PageData.printed(new ReadmeSnippets()::rowsByNumber).lines())
        .containsExactly(
            "641 miles", "357 miles from PVD", "2176 miles from LAS", "357 miles from PVD");
  }

  @Test
  void featuresGiveMatrixAndOtherColumns() {
    ReadmeSnippets snippets = new ReadmeSnippets();
    snippets.features();
    assertThat(snippets.rows).isEqualTo(ROWS);
    assertThat(snippets.sum).isEqualTo(MILES + MINUTES);
  }

  @Test
  void elementsRowsAndACopyOfAMatrixAgree() {
    assertThat(new ReadmeSnippets().elements())
        .isDeepEqualTo(new float[][] {{719, -3}, {2475, 14}});
  }

  @Test
  void nullsAreTold() {
    ReadmeSnippets snippets = new ReadmeSnippets();
    assertThat(PageData.printed(snippets::nulls)).isEqualTo("70\n");
  }

  @Test
  void nullsOfOneColumnAreFilled() {
    ReadmeSnippets snippets = new ReadmeSnippets();
    snippets.columnNulls();
    assertThat(snippets.sum).isEqualTo(69);
  }

  @Test
  void stringsHaveCodes() throws IOException {
    ReadmeSnippets snippets = new ReadmeSnippets();
    snippets.strings();
    assertThat(snippets.rows).isEqualTo(ROWS);
    assertThat(snippets.sum).isEqualTo(34_806_952);
    assertThat(snippets.texts).hasSize(228).startsWith("ABE").endsWith("YAK").isSorted();
    snippets.sum = 0;
    snippets.vocabulary();
    assertThat(snippets.sum).isEqualTo(554_239); // ATL once, all but ORD and ATL twice
    snippets.forms();
    assertThat(snippets.options()).isEqualTo(512);
  }

  @Test
  void embeddingsAreOneBlock() {
    ReadmeSnippets snippets = new ReadmeSnippets();
    snippets.embeddings();
    assertThat(snippets.rows).isEqualTo(1000);
    assertThat(snippets.sum).isEqualTo(16 * 499_500);
  }

  @Test
  void raggedListsHaveEveryElement() {
    assertThat(PageData.printed(new ReadmeSnippets()::ragged).lines())
        .containsExactly(
            "the first of 512 is of example.org", "the first of 488 is of example.org", "49500");
  }

  @Test
  void filesOfTwoSchemasAreOneTable() {
    ReadmeSnippets snippets = new ReadmeSnippets();
    snippets.schema();
    assertThat(snippets.rows).isEqualTo(2);
    assertThat(snippets.sum).isEqualTo(0.5 * 10 + 2.0 * 20);
    assertThat(snippets.currencies).containsExactly("EUR", "CHF");
  }

  @Test
  void foldersAreColumns() {
    ReadmeSnippets snippets = new ReadmeSnippets();
    snippets.partitions();
    assertThat(snippets.rows).isEqualTo(2);
    assertThat(snippets.sum).isEqualTo(2.5);
  }

  @Test
  void transformMakesTheLabel() {
    ReadmeSnippets snippets = new ReadmeSnippets();
    snippets.transform();
    assertThat(snippets.rows).isEqualTo(ROWS);
    assertThat(snippets.sum).isEqualTo(LATE);
  }

  @Test
  void transformThatKeepsRowsMakesTheLabelToo() {
    ReadmeSnippets snippets = new ReadmeSnippets();
    long steps = Math.ceilDiv(ROWS, 512);
    assertThat(PageData.printed(snippets::transformThatKeepsRows)).isEqualTo(steps + " steps\n");
    assertThat(snippets.rows).isEqualTo(ROWS);
    assertThat(snippets.sum).isEqualTo(LATE);
  }

  @Test
  void fittedTransformsCentreTheDistances() {
    ReadmeSnippets snippets = new ReadmeSnippets();
    snippets.readyTransforms();
    assertThat(snippets.rows).isEqualTo(ROWS);
    // Distances sum up to 0, delays reach from -84 to 1429, and each row has one origin.
    double delays = (MINUTES + 84.0 * ROWS) / (1429 + 84);
    assertThat(snippets.sum).isCloseTo(delays + ROWS, within(1.0));
  }

  @Test
  void collatedMeansAreThoseOfTheRows() {
    assertThat(Double.parseDouble(PageData.printed(new ReadmeSnippets()::collate)))
        .isCloseTo(MILES, within(1e-3));
  }

  @Test
  void ownStrategyHasEveryRow() {
    ReadmeSnippets snippets = new ReadmeSnippets();
    snippets.ownStrategy();
    assertThat(snippets.rows).isEqualTo(ROWS);
  }

  @Test
  void constructorPathDropsTheShortBatch() {
    ReadmeSnippets snippets = new ReadmeSnippets();
    snippets.constructor();
    assertThat(snippets.rows).isEqualTo(ROWS / 256 * 256);
  }

  @Test
  void recordsBecomeBatches() {
    ReadmeSnippets snippets = new ReadmeSnippets();
    snippets.samples();
    assertThat(snippets.rows).isEqualTo(3000);
    assertThat(snippets.sum).isCloseTo(3 * 499.5, within(1e-3));
  }

  @Test
  void orderIsTorchs() {
    assertThat(PageData.printed(new ReadmeSnippets()::torchOrder).lines())
        .containsExactly("8", "0", "9", "1", "4", "5", "6", "3", "2", "7");
  }

  @Test
  void rowsComeAloneAndByKey() {
    ReadmeSnippets snippets = new ReadmeSnippets();
    snippets.eachRow();
    assertThat(snippets.sum).isEqualTo(6);
    assertThat(PageData.printed(snippets::byKey).lines()).containsExactly("77", "36");
  }

  @Test
  void coverageTellsWhetherWorkersShare() {
    assertThat(PageData.printed(new ReadmeSnippets()::coverage).lines())
        .satisfiesExactly(
            line -> assertThat(line).startsWith("Not every row once: 200 rows delivered of 100"),
            line -> assertThat(line).isEqualTo("Every row once: 100 rows delivered of 100."));
  }

  @Test
  void tensorThatIsKeptCannotBeRead() {
    assertThatThrownBy(() -> new ReadmeSnippets().keptTensor())
        .isInstanceOf(IllegalStateException.class)
        .hasMessageStartingWith("Cannot use this batch: it is closed");
  }

  @Test
  void copiesAndOpenBatchesStay() {
    ReadmeSnippets copies = new ReadmeSnippets();
    copies.keptCopy();
    assertThat(copies.rows).isEqualTo(ROWS);
    assertThat(copies.sum).isEqualTo(MINUTES);
    ReadmeSnippets windows = new ReadmeSnippets();
    windows.keptBatches();
    assertThat(windows.rows).isEqualTo(584 * 512); // 586 batches are 73 windows and 2 more
  }
}
