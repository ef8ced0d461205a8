package dev.penstock.tokens;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.params.provider.Arguments.arguments;

import dev.penstock.DataLoader;
import dev.penstock.LoaderState;
import dev.penstock.StructuredDataset;
import dev.penstock.batch.Batch;
import dev.penstock.compose.Composition;
import dev.penstock.compose.Packs;
import dev.penstock.options.LoaderOptions;
import dev.penstock.split.Rank;
import dev.penstock.split.Shuffle;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/// Texts of a JSONL file, tokenised and packed: what comes, where it stops and how it goes on.
class PackedTokensTest {
  private static final int LENGTH = 256;

  private static final Tokenize TOKENIZE =
      Tokenize.of("text", Recorded.tokenizer("byte-bpe")).end("<|endoftext|>").into("input_ids");

  private static final Packs CUT = Composition.packs("input_ids", LENGTH);

  private static DataLoader loader(Rank rank, Shuffle shuffle) {
    return loader(rank, shuffle, CUT, 2);
  }

  private static DataLoader loader(Rank rank, Shuffle shuffle, Packs packs, int workers) {
    LoaderOptions options =
        LoaderOptions.defaults()
            .rank(rank)
            .shuffle(shuffle)
            .seed(69)
            .workers(workers)
            .batchSize(3)
            .transform(TOKENIZE)
            .compose(packs);
    return DataLoader.of(
        new StructuredDataset(Recorded.DOCUMENTS.toString()).columns("text"), options);
  }

  /// Returns the packs of the next batches, those of a batch together.
  private static List<List<String>> batches(DataLoader loader, long most) {
    List<List<String>> all = new ArrayList<>();
    var batches = loader.iterator();
    while (all.size() < most && batches.hasNext()) {
      try (Batch batch = batches.next()) {
        int[] ids = Ids.ints(batch.tensor("input_ids"));
        int[] segments = Ids.ints(batch.tensor("input_ids.segment"));
        int[] positions = Ids.ints(batch.tensor("input_ids.position"));
        all.add(
            IntStream.range(0, batch.rowCount())
                .mapToObj(row -> pack(row, ids) + pack(row, segments) + pack(row, positions))
                .toList());
      }
    }
    return all;
  }

  private static String pack(int row, int... elements) {
    return Arrays.toString(Arrays.copyOfRange(elements, row * LENGTH, (row + 1) * LENGTH));
  }

  private static List<String> packs(List<List<String>> batches) {
    return batches.stream().flatMap(List::stream).toList();
  }

  @Test
  void packsAreTheTokensOfTheDocumentsInOrder() {
    List<Integer> wanted = new ArrayList<>();
    for (int[] each : Ids.of(Recorded.DOCUMENTS, TOKENIZE, "input_ids", 1)) {
      Arrays.stream(each).forEach(wanted::add);
    }
    List<Integer> found = new ArrayList<>();
    try (DataLoader loader = loader(Rank.SINGLE, Shuffle.none())) {
      for (Batch batch : loader) {
        try (batch) {
          int[] ids = Ids.ints(batch.tensor("input_ids"));
          int[] segments = Ids.ints(batch.tensor("input_ids.segment"));
          IntStream.range(0, ids.length)
              .filter(i -> segments[i] > 0)
              .forEach(i -> found.add(ids[i]));
        }
      }
    }
    assertThat(found).isEqualTo(wanted);
  }

  static List<Packs> modes() {
    return List.of(CUT, CUT.whole(Packs.TooLong.CUT), CUT.stream());
  }

  static Stream<Arguments> modesAndShuffles() {
    return modes().stream()
        .flatMap(packs ->
            Stream.of(Shuffle.none(), Shuffle.window(500)).map(how -> arguments(packs, how)));
  }

  /// A document that goes on in the next row goes on there with its next token.
  @ParameterizedTest
  @MethodSource("modesAndShuffles")
  void stoppedRunGoesOnWithinADocument(Packs packs, Shuffle shuffle) {
    List<List<String>> whole;
    try (DataLoader loader = loader(Rank.SINGLE, shuffle, packs, 2)) {
      whole = batches(loader, Long.MAX_VALUE);
    }
    assertThat(whole.size()).isGreaterThan(50);
    boolean isWithin = false;
    for (int stop = 1; stop < whole.size(); stop += whole.size() / 3) {
      LoaderState state;
      try (DataLoader loader = loader(Rank.SINGLE, shuffle, packs, stop % 3)) {
        assertThat(batches(loader, stop)).isEqualTo(whole.subList(0, stop));
        state = LoaderState.parse(loader.state().toJson());
      }
      try (DataLoader loader = loader(Rank.SINGLE, shuffle, packs, (stop + 1) % 3)) {
        loader.resume(state);
        assertThat(batches(loader, Long.MAX_VALUE))
            .as("after %s of %s batches", stop, whole.size())
            .isEqualTo(whole.subList(stop, whole.size()));
      }
      String next = whole.get(stop).getFirst();
      isWithin |= !next.substring(next.lastIndexOf('[')).startsWith("[0,"); // its first position
    }
    assertThat(isWithin).isEqualTo(packs.equals(CUT)); // other modes do not show it
  }

  static Stream<Arguments> modesAndWorlds() {
    return modes().stream()
        .flatMap(packs ->
            Stream.of(List.of(1, 3, 2), List.of(3, 2, 1)).map(worlds -> arguments(packs, worlds)));
  }

  /// Worlds of other sizes, and of other numbers of workers, go on with the states of all ranks.
  @Tag("outer")
  @ParameterizedTest
  @MethodSource("modesAndWorlds")
  void otherWorldsGoOnWithinAWindow(Packs packs, List<Integer> worlds) {
    Shuffle shuffle = Shuffle.window(500);
    List<String> one;
    try (DataLoader loader = loader(Rank.SINGLE, shuffle, packs, 2)) {
      one = packs(batches(loader, Long.MAX_VALUE));
    }
    List<String> delivered = new ArrayList<>();
    LoaderState state = null;
    for (int stage = 0; stage < worlds.size(); stage++) {
      int world = worlds.get(stage);
      long steps = stage == worlds.size() - 1 ? Long.MAX_VALUE : 7;
      List<LoaderState> states = new ArrayList<>();
      for (int rank = 0; rank < world; rank++) {
        try (DataLoader loader =
            loader(new Rank(rank, world), shuffle, packs, (stage + rank) % 3)) {
          if (state != null) {
            loader.resume(state);
          }
          delivered.addAll(packs(batches(loader, steps)));
          states.add(LoaderState.parse(loader.state().toJson()));
        }
      }
      state = LoaderState.merge(states);
    }
    assertThat(delivered).containsExactlyInAnyOrderElementsOf(one);
  }
}
