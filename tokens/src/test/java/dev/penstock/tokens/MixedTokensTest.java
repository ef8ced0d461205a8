package dev.penstock.tokens;

import static org.assertj.core.api.Assertions.assertThat;

import dev.penstock.DataLoader;
import dev.penstock.LoaderState;
import dev.penstock.Mixture;
import dev.penstock.Mixture.Stop;
import dev.penstock.StructuredDataset;
import dev.penstock.batch.Batch;
import dev.penstock.compose.Composition;
import dev.penstock.options.LoaderOptions;
import dev.penstock.split.Rank;
import dev.penstock.split.Shuffle;
import dev.penstock.transform.Transform;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// Two corpora that are mixed, tokenised and packed: the packs are those that are made by hand of
/// the mixture's texts.
@Tag("outer")
class MixedTokensTest {
  private static final int LENGTH = 256;
  private static final int BATCH_ROWS = 3;
  private static final int WINDOW_ROWS = 200;

  private static final Tokenize TOKENIZE =
      Tokenize.of("text", Recorded.tokenizer("byte-bpe")).end("<|endoftext|>").into("input_ids");

  @TempDir Path folder;
  private StructuredDataset mixed;

  /// Writes short notes, beside the recorded documents.
  @BeforeEach
  void mix() throws Exception {
    List<String> notes = new ArrayList<>();
    for (int note = 0; note < 900; note++) {
      notes.add(
          "{\"text\":\"Note %s %s\",\"second\":\"\"}".formatted(note, " and on".repeat(note % 50)));
    }
    Path file = Files.write(folder.resolve("notes.jsonl"), notes);
    StructuredDataset documents = new StructuredDataset(Recorded.DOCUMENTS.toString());
    mixed =
        new StructuredDataset(
                Mixture.of(documents, 0.6)
                    .and(new StructuredDataset(file.toString()), 0.4)
                    .stop(Stop.ALL)
                    .sourceColumn("source"))
            .columns("text", "source");
  }

  private static LoaderOptions options(Rank rank, int workers) {
    return LoaderOptions.defaults().rank(rank).workers(workers).seed(69).batchSize(BATCH_ROWS);
  }

  private DataLoader packs(Rank rank, int workers, long steps) {
    Transform tokenize = TOKENIZE;
    return DataLoader.of(
        mixed,
        options(rank, workers)
            .shuffle(Shuffle.window(WINDOW_ROWS))
            .stepsPerEpoch(steps)
            .transform(tokenize)
            .compose(Composition.packs("input_ids", LENGTH)));
  }

  /// Returns the texts of a rank, in its windows.
  private List<String> texts(Rank rank) {
    List<String> texts = new ArrayList<>();
    LoaderOptions options = options(rank, 1).shuffle(Shuffle.window(WINDOW_ROWS));
    try (DataLoader loader = DataLoader.of(mixed, options)) {
      for (Batch batch : loader) {
        try (batch) {
          texts.addAll(batch.strings("text"));
        }
      }
    }
    return texts;
  }

  /// Returns the token ids of all texts, from loaders of each corpus.
  private Map<String, int[]> tokens() {
    Map<String, int[]> ids = new HashMap<>();
    for (Path file : List.of(Recorded.DOCUMENTS, folder.resolve("notes.jsonl"))) {
      List<int[]> all = Ids.of(file, TOKENIZE, "input_ids", 1);
      List<String> texts = new ArrayList<>();
      StructuredDataset dataset = new StructuredDataset(file.toString());
      try (DataLoader loader = DataLoader.of(dataset, o -> o.rank(Rank.SINGLE))) {
        for (Batch batch : loader) {
          try (batch) {
            texts.addAll(batch.strings("text"));
          }
        }
      }
      for (int text = 0; text < texts.size(); text++) {
        ids.put(texts.get(text), all.get(text));
      }
    }
    return ids;
  }

  /// Packs texts: one list behind the other, and each window by itself.
  private static List<String> packed(List<String> texts, Map<String, int[]> tokens) {
    List<String> packs = new ArrayList<>();
    for (int start = 0; start < texts.size(); start += WINDOW_ROWS) {
      int[] ids =
          texts.subList(start, Math.min(start + WINDOW_ROWS, texts.size())).stream()
              .map(tokens::get)
              .flatMapToInt(Arrays::stream)
              .toArray();
      for (int from = 0; from < ids.length; from += LENGTH) {
        packs.add(Arrays.toString(Arrays.copyOfRange(ids, from, from + LENGTH))); // then zeros
      }
    }
    return packs;
  }

  private static List<String> batches(DataLoader loader, long most) {
    List<String> packs = new ArrayList<>();
    var batches = loader.iterator();
    for (int batch = 0; batch < most && batches.hasNext(); batch++) {
      packs.addAll(packs(batches.next()));
    }
    return packs;
  }

  private static List<String> packs(Batch batch) {
    try (batch) {
      int[] ids = Ids.ints(batch.tensor("input_ids"));
      return IntStream.range(0, batch.rowCount())
          .mapToObj(row -> Arrays.copyOfRange(ids, row * LENGTH, (row + 1) * LENGTH))
          .map(Arrays::toString)
          .toList();
    }
  }

  @ParameterizedTest
  @CsvSource({"1, 0", "1, 3", "2, 1", "3, 2"})
  void packsAreThoseOfTheMixturesTexts(int world, int workers) {
    Map<String, int[]> tokens = tokens();
    for (int index = 0; index < world; index++) {
      Rank rank = new Rank(index, world);
      List<String> expected = packed(texts(rank), tokens);
      int steps = expected.size() / BATCH_ROWS;
      try (DataLoader loader = packs(rank, workers, steps)) {
        assertThat(loader.batchesPerEpoch()).isEqualTo(steps);
        assertThat(batches(loader, Long.MAX_VALUE))
            .isEqualTo(expected.subList(0, steps * BATCH_ROWS));
      }
      assertThat(steps).isGreaterThan(50);
    }
  }

  @ParameterizedTest
  @CsvSource({"0, 1", "2, 3"})
  void stoppedRunGoesOnWithinADocument(int workers, int later) {
    int steps = 60;
    for (int index = 0; index < 2; index++) {
      Rank rank = new Rank(index, 2);
      List<String> whole;
      try (DataLoader loader = packs(rank, workers, steps)) {
        whole = batches(loader, Long.MAX_VALUE);
      }
      for (int stop = 1; stop < steps; stop += 7) {
        LoaderState state;
        try (DataLoader loader = packs(rank, workers, steps)) {
          batches(loader, stop);
          state = LoaderState.parse(loader.state().toJson());
        }
        try (DataLoader loader = packs(rank, later, steps)) {
          loader.resume(state);
          assertThat(batches(loader, Long.MAX_VALUE))
              .as("after %s of %s batches", stop, steps)
              .isEqualTo(whole.subList(stop * BATCH_ROWS, whole.size()));
        }
      }
    }
  }

  /// Without packs the number of batches is known, and rows are those of the mixture.
  @Test
  void tokensOfEachRowAreThoseOfItsText() {
    Map<String, int[]> tokens = tokens();
    for (int index = 0; index < 3; index++) {
      LoaderOptions options = options(new Rank(index, 3), 2);
      try (DataLoader texts = DataLoader.of(mixed, options);
          DataLoader loader = DataLoader.of(mixed, options.transform(TOKENIZE))) {
        assertThat(loader.batchesPerEpoch()).isEqualTo(texts.batchesPerEpoch());
        var mine = loader.iterator();
        for (Batch batch : texts) {
          try (batch;
              Batch ids = mine.next()) {
            assertThat(Ids.ints(ids.tensor("source"))).isEqualTo(Ids.ints(batch.tensor("source")));
            var rows = batch.strings("text");
            for (int row = 0; row < rows.size(); row++) {
              assertThat(Ids.ints(ids.ragged("input_ids").row(row)))
                  .isEqualTo(tokens.get(rows.get(row)));
            }
          }
        }
        assertThat(mine.hasNext()).isFalse();
      }
    }
  }
}
