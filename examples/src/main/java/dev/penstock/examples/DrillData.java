package dev.penstock.examples;

import dev.penstock.DataLoader;
import dev.penstock.Mixture;
import dev.penstock.StructuredDataset;
import dev.penstock.batch.Batch;
import dev.penstock.batch.OutputFormat;
import dev.penstock.iceberg.IcebergDataset;
import dev.penstock.options.LoaderOptions;
import dev.penstock.split.Rank;
import dev.penstock.split.Shuffle;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;

/// What [ElasticityDrill] trains on.
///
/// @param arguments as they were given, for the processes of ranks
/// @param folders where the tables are
/// @param cache where decoded columns are kept, to shuffle all rows
/// @param where the filter
/// @param seed decides the order and who is killed when
/// @param worlds how many ranks there are, one after another
/// @param batch the rows of a step of one rank
record DrillData(
    List<String> arguments,
    List<String> folders,
    Optional<String> cache,
    Optional<String> where,
    long seed,
    List<Integer> worlds,
    int batch) {
  private static final String CACHE_SIZE = "1TiB";
  private static final Set<String> NAMES = Set.of("cache", "where", "seed", "worlds", "batch");

  /// Reads the arguments of the command.
  ///
  /// @throws IllegalArgumentException if they are none
  static DrillData parse(List<String> arguments) {
    List<String> folders = new ArrayList<>();
    Map<String, String> options = new HashMap<>();
    for (String argument : arguments) {
      int equals = argument.indexOf('=');
      if (equals > 0 && NAMES.contains(argument.substring(0, equals))) {
        options.put(argument.substring(0, equals), argument.substring(equals + 1));
      } else {
        folders.add(argument);
      }
    }
    if (folders.isEmpty()) {
      throw new IllegalArgumentException(
          "Cannot run the drill without data: expected FOLDER [FOLDER...] [cache=FOLDER]"
              + " [where=FILTER] [seed=NUMBER] [worlds=8,3,16] [batch=1024].");
    }
    return new DrillData(
        List.copyOf(arguments),
        folders,
        Optional.ofNullable(options.get("cache")),
        Optional.ofNullable(options.get("where")),
        number("seed", options.getOrDefault("seed", "1")),
        Stream.of(options.getOrDefault("worlds", "8,3,16").split(",", -1))
            .map(world -> count("worlds", world))
            .toList(),
        count("batch", options.getOrDefault("batch", "1024")));
  }

  private static int count(String name, String text) {
    long count = number(name, text);
    if (count < 1 || count > Integer.MAX_VALUE) {
      throw wrong(name, text, "a number of at least 1");
    }
    return (int) count;
  }

  private static long number(String name, String text) {
    try {
      return Long.parseLong(text);
    } catch (NumberFormatException _) {
      throw wrong(name, text, "a number");
    }
  }

  private static IllegalArgumentException wrong(String name, String text, String expected) {
    return new IllegalArgumentException(
        "Cannot run the drill with '" + text + "' in " + name + "=: expected " + expected + ".");
  }

  /// Returns all rows, each once.
  StructuredDataset dataset() {
    StructuredDataset all;
    if (folders.size() == 1) {
      all = source(folders.getFirst());
    } else {
      List<Mixture.Source> sources =
          folders.stream().map(folder -> new Mixture.Source(source(folder), 1)).toList();
      all = new StructuredDataset(Mixture.of(sources).stop(Mixture.Stop.ALL));
    }
    return where.map(all::where).orElse(all);
  }

  private StructuredDataset source(String folder) {
    boolean isIceberg = Files.isDirectory(Path.of(folder, "metadata"));
    StructuredDataset source =
        isIceberg ? IcebergDataset.metadata(folder).dataset() : new StructuredDataset(folder);
    return cache.map(place -> source.cache(place, CACHE_SIZE)).orElse(source);
  }

  /// Returns how a rank reads them.
  LoaderOptions options(Rank rank) {
    return LoaderOptions.defaults()
        .rank(rank)
        .seed(seed)
        .shuffle(cache.isPresent() ? Shuffle.global() : Shuffle.splits())
        .batchSize(batch)
        .output(OutputFormat.MAP);
  }

  /// Reads the epoch in one process, in the order of the files.
  Rows read() {
    Rows all = Rows.NONE;
    LoaderOptions options = options(Rank.SINGLE).shuffle(Shuffle.none());
    try (DataLoader loader = DataLoader.of(dataset(), options)) {
      for (Batch next : loader) {
        try (Batch each = next) {
          all = all.and(Rows.of(each));
        }
      }
    }
    return all;
  }
}
