package dev.penstock.blackbox.docs;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import dev.penstock.LocalCache;
import dev.penstock.batch.Vocabulary;
import dev.penstock.testing.English;
import dev.penstock.transform.Preprocessing;
import dev.penstock.transform.Standardize;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/// The code of the cookbook does what the text beside it says.
@ExtendWith({English.class, PageData.class})
class CookbookSnippetsTest {
  // Of the flights: 300,000 rows in 8 files of 37,500. Sums and counts were taken with pyarrow 26.
  private static final int ROWS = 300_000;
  private static final int ROWS_OF_FILE = 37_500;
  private static final long MILES = 220_046_428;

  private final CookbookSnippets snippets = new CookbookSnippets();

  @Test
  void filesAreSplit() {
    snippets.byFiles();
    assertThat(snippets.rows).isEqualTo(6 * ROWS_OF_FILE);
    assertThat(snippets.validated).isEqualTo(2 * ROWS_OF_FILE);
    snippets.byNumberOfFile();
    assertThat(snippets.rows).isEqualTo(7 * ROWS_OF_FILE);
    assertThat(snippets.validated).isEqualTo(ROWS_OF_FILE);
  }

  @Test
  void datesSplitAllRows() {
    snippets.byDate();
    assertThat(snippets.rows + snippets.validated).isEqualTo(ROWS);
    assertThat(snippets.validated).isBetween(1L, ROWS / 2L);
  }

  @Test
  void eachRowIsInOneFold() {
    snippets.holdout();
    assertThat(snippets.rows + snippets.validated).isEqualTo(ROWS);
    assertThat(snippets.rows).isPositive();
    assertThat(snippets.validated).isPositive();
  }

  @Test
  void datasetsAreMixed() {
    snippets.mixture();
    assertThat(snippets.rows).isPositive();
    snippets.balanced();
    assertThat(snippets.rows).isGreaterThan(1_000);
  }

  @Test
  void eachFoldIsHeldOutOnce() {
    snippets.crossValidation();
    assertThat(snippets.rows).isEqualTo(4 * ROWS);
    assertThat(snippets.validated).isEqualTo(ROWS);
  }

  @Test
  void validationHasEveryRowOnce() {
    snippets.validation();
    snippets.sameNumbers();
    assertThat(snippets.validated).isEqualTo(2 * 2 * ROWS_OF_FILE);
  }

  @Test
  void weightsOfClassesAreEven() {
    snippets.classWeights();
    assertThat(snippets.rows).isEqualTo(ROWS);
    assertThat(snippets.sum).isCloseTo(ROWS, within(1e-3)); // each class weighs half of it
  }

  @Test
  void weightedDrawsAreAsManyAsAsked() throws IOException {
    snippets.weightedDraws();
    assertThat(snippets.rows).isEqualTo(20_000);
  }

  @Test
  void keysAreCounted() {
    snippets.countByKey();
    assertThat(snippets.rows).isEqualTo(ROWS);
    assertThat(snippets.texts).contains("ATL", "LAX").isSorted();
  }

  @Test
  void twoLoadersGiveTheRowsOfOne() {
    snippets.sideBySide();
    assertThat(snippets.rows).isEqualTo(ROWS);
    assertThat(snippets.sum).isEqualTo(MILES);
  }

  @Test
  void columnsAreAsLongAsThereAreRows() {
    snippets.wholeColumns();
    assertThat(snippets.rows).isPositive().isEqualTo(snippets.validated);
    assertThat(snippets.sum).isPositive();
  }

  @Test
  void streamsHaveAllBatches() {
    snippets.stream();
    assertThat(snippets.sum).isEqualTo(MILES);
  }

  @Test
  void listenersSeeAllBatches() {
    snippets.listen();
    assertThat(snippets.validated).isEqualTo(ROWS);
    assertThat(snippets.sum).isEqualTo(MILES);
  }

  @Test
  void limitedEpochEnds() {
    snippets.limit();
    assertThat(snippets.rows).isEqualTo(20 * 512);
  }

  @Test
  void tokensArePaddedAndCut() throws IOException {
    snippets.padding();
    assertThat(snippets.rows).isEqualTo(1000);
    double padding = 0;
    for (int i = 0; i < 1000; i++) {
      padding += Math.max(0, 32 - i / 10);
    }
    assertThat(snippets.sum).isEqualTo(1000 * 32 - 2 * padding);
    CookbookSnippets rows = new CookbookSnippets();
    rows.paddingRows();
    assertThat(rows.sum).isEqualTo(10 * (99 * 100 / 2));
  }

  @Test
  void bucketsHaveAllRows() {
    snippets.buckets();
    assertThat(snippets.rows).isEqualTo(1000);
  }

  /// There are 10 * (0 + 1 + ... + 99) tokens, for which 97 packs of 512 would do.
  @Test
  void packsAreFewerThanArticles() {
    snippets.packs();
    assertThat(snippets.rows).isEqualTo(97);
  }

  @Test
  void seriesAreWhole() {
    snippets.groups();
    assertThat(snippets.rows).isEqualTo(1000);
  }

  /// Windows of rows `[0, 32)` to `[64, 96)` are nine; the one from 72 has 28 rows.
  @Test
  void seriesHaveTenWindowsEach() {
    snippets.slidingWindows();
    assertThat(snippets.rows).isEqualTo(10 * 10);
    assertThat(snippets.sum).isEqualTo(10 * (9 * 32 + 28));
  }

  /// The mean of what is drawn by its own size is the sum of squares, divided by the sum.
  @Test
  void farFlightsAreDrawnMoreOften() {
    snippets.draws();
    assertThat(snippets.rows).isEqualTo(100_000);
    assertThat(snippets.sum / 100_000).isGreaterThan(1.3 * MILES / ROWS);
  }

  @Test
  void allRowsAreShuffled() {
    snippets.shuffleGlobal();
    assertThat(snippets.rows).isEqualTo(ROWS);
    assertThat(snippets.sum).isEqualTo(MILES);
  }

  @Test
  void laterEpochsComeFromTheCache() {
    LocalCache.at("data/cache").clear(); // of another example
    assertThat(PageData.printed(snippets::cache).lines())
        .satisfiesExactly(
            line -> assertThat(line).isEqualTo("0 bytes from the cache"),
            line -> assertThat(line).matches("[1-9][0-9]{6} bytes from the cache"),
            line -> assertThat(line).matches("[1-9][0-9]{6} bytes from the cache"));
    assertThat(snippets.rows).isEqualTo(3 * ROWS);
    assertThat(snippets.sum).isEqualTo(3 * MILES);
    assertThat(PageData.printed(snippets::localCache).lines())
        .hasSize(8)
        .allMatch(
            text -> text.matches(".*/data/flights/part-[0-7].parquet: [1-9][0-9]+ bytes, .*"));
    assertThat(snippets.rows).isGreaterThan(1_000_000);
    assertThat(Path.of("data/cache")).isEmptyDirectory();
  }

  @Test
  void imagesAreRed() {
    snippets.images();
    assertThat(snippets.rows).isEqualTo(10);
    assertThat(snippets.sum).isEqualTo(10 * 64);
  }

  @Test
  void logHasALineForEachEpoch() throws IOException {
    Path file = Path.of("data/log.jsonl");
    snippets.log();
    assertThat(Files.readAllLines(file))
        .hasSize(3)
        .allMatch(line -> line.contains("\"rows\":300000,"));
  }

  @Test
  void foldersAreReadTogether() {
    snippets.severalFolders();
    assertThat(snippets.rows).isEqualTo(5 * ROWS_OF_FILE);
  }

  @Test
  void allColumnsAreFloats() {
    snippets.oneType();
    assertThat(snippets.texts).containsOnly("FLOAT32");
    assertThat(snippets.sum).isEqualTo(MILES);
  }

  @Test
  void shuffledRowsComeOnce() {
    snippets.shuffleWell();
    assertThat(snippets.rows).isEqualTo(ROWS);
    assertThat(snippets.sum).isEqualTo(MILES);
  }

  @Test
  void trainingGoesOnFromItsCheckpoint() throws IOException {
    snippets.rowsMax = 400_000;
    assertThatThrownBy(snippets::checkpoint).hasMessage("power cut");
    CookbookSnippets resumed = new CookbookSnippets();
    resumed.checkpoint();
    assertThat(resumed.rows).isEqualTo(ROWS - 100 * 512); // of epoch 1, after its batch 100
  }

  @Test
  void speedIsTold() {
    assertThat(PageData.printed(snippets::loaderAlone).lines())
        .hasSize(5)
        .last()
        .asString()
        .matches("epoch 4: [0-9,]+ rows/s");
  }

  @Test
  void rowOfARequestIsMadeAsTrainingMadeIt() {
    Preprocessing fitted = Preprocessing.of(new Standardize("distance", 700, 100));
    Vocabulary origins = Vocabulary.of("ATL", "ORD");
    assertThat(CookbookSnippets.input(fitted, origins, 900, "ORD"))
        .isEqualTo(new CookbookSnippets.Input(2, 1));
    assertThat(CookbookSnippets.input(fitted, origins, 600, "XYZ"))
        .isEqualTo(new CookbookSnippets.Input(-1, 2));
  }

  @Test
  void portOfAScriptHasItsRows() {
    snippets.fromPandas();
    assertThat(snippets.rows).isEqualTo(71_778);
  }
}
