package dev.penstock.blackbox.cases;

import dev.penstock.DataLoader;
import dev.penstock.StructuredDataset;
import dev.penstock.batch.DecimalForm;
import dev.penstock.batch.EpochUnit;
import dev.penstock.batch.NullPolicy;
import dev.penstock.batch.OutputFormat;
import dev.penstock.batch.StringEncoding;
import dev.penstock.batch.Vocabulary;
import dev.penstock.compose.Composition;
import dev.penstock.compose.Packs;
import dev.penstock.options.LoaderOptions;
import dev.penstock.split.Plan;
import dev.penstock.split.Rank;
import dev.penstock.split.RankEnd;
import dev.penstock.split.Shuffle;
import java.util.List;
import java.util.Locale;

/// Makes loaders from options in words, such as `batchSize 7` or `compose packs tokens 30 whole
/// drop`. The recorded cases know how a loader is made by this class alone.
final class RecordedLoader {
  private RecordedLoader() {}

  /// Makes a loader.
  ///
  /// @param options in words; of two of one name the last counts
  static DataLoader open(StructuredDataset dataset, List<String> options) {
    return DataLoader.of(dataset, read(options));
  }

  static Plan plan(StructuredDataset dataset, List<String> options, long epoch) {
    return dataset.plan(read(options), epoch);
  }

  private static LoaderOptions read(List<String> options) {
    LoaderOptions read = LoaderOptions.defaults();
    for (String option : options) {
      read = with(read, option.split(" ", -1));
    }
    return read;
  }

  private static LoaderOptions with(LoaderOptions options, String... words) {
    String first = words.length > 1 ? words[1] : "";
    return switch (words[0]) {
      case "batchSize" -> options.batchSize(Integer.parseInt(first));
      case "dropLast" -> options.dropLast(true);
      case "stepsPerEpoch" -> options.stepsPerEpoch(Long.parseLong(first));
      case "compose" -> options.compose(composition(words));
      case "workers" -> options.workers(Integer.parseInt(first));
      case "prefetchFactor" -> options.prefetchFactor(Integer.parseInt(first));
      case "shuffle" -> options.shuffle(Shuffle.parse(first));
      case "seed" -> options.seed(Long.parseLong(first));
      case "inOrder" -> options.inOrder(Boolean.parseBoolean(first));
      case "splitPerWorker" -> options.splitPerWorker(true);
      case "rank" -> options.rank(new Rank(Integer.parseInt(first), Integer.parseInt(words[3])));
      case "rankEnd" -> options.rankEnd(RankEnd.parse(first));
      case "countMatches" -> options.countMatches(Boolean.parseBoolean(first));
      case "memory" -> options.memory(first);
      case "poisonMemory" -> options.poisonMemory(true);
      case "record" -> options.record(true);
      case "output" -> options.output(OutputFormat.valueOf(first));
      case "nulls" ->
          words.length == 2 ? options.nulls(policy(first)) : options.nulls(first, policy(words[2]));
      case "timestamps" -> options.timestamps(EpochUnit.valueOf(first));
      case "decimals" -> options.decimals(DecimalForm.valueOf(first));
      case "strings" -> options.strings(first, encoding(words));
      case "features" -> options.features(first, List.of(words).subList(2, words.length));
      case "transform" ->
          words[2].equals("groups")
              ? options.transformRowGroups(RecordedFunctions.transform(first))
              : options.transform(RecordedFunctions.transform(first), Integer.parseInt(words[2]));
      default -> throw new AssertionError(words[0]);
    };
  }

  private static NullPolicy policy(String word) {
    return word.startsWith("text:")
        ? NullPolicy.fill(word.substring("text:".length()))
        : NullPolicy.parse(word);
  }

  private static StringEncoding encoding(String... words) {
    return switch (words[2]) {
      case "hash" -> StringEncoding.hash(Integer.parseInt(words[3]));
      case "vocabulary" -> {
        StringEncoding.Codes codes =
            StringEncoding.codes(Vocabulary.of("bee0", "ant1", "cat2", "1"));
        yield words.length == 3 ? codes : codes.unknown(Integer.parseInt(words[3]));
      }
      default -> StringEncoding.codes();
    };
  }

  private static Composition composition(String... words) {
    String column = words[2];
    int number = words.length > 3 ? Integer.parseInt(words[3]) : 0;
    return switch (words[1]) {
      case "buckets" ->
          number == 0 ? Composition.buckets(column) : Composition.buckets(column).tokens(number);
      case "packs" -> {
        Packs packs = Composition.packs(column, number);
        yield words.length == 4
            ? packs
            : packs.whole(Packs.TooLong.valueOf(words[5].toUpperCase(Locale.ROOT)));
      }
      case "groups" -> Composition.groups(column);
      case "windows" -> Composition.windows(column, number, Integer.parseInt(words[4]));
      case "draws" ->
          number == 0 ? Composition.draws(column) : Composition.draws(column).numSamples(number);
      default -> throw new AssertionError(words[1]);
    };
  }
}
