package dev.penstock.blackbox.docs;

import static dev.penstock.filter.Filter.col;
import static java.nio.file.StandardOpenOption.APPEND;
import static java.nio.file.StandardOpenOption.CREATE;

import dev.penstock.CollatedLoader;
import dev.penstock.DataLoader;
import dev.penstock.EpochIterator;
import dev.penstock.Loader;
import dev.penstock.LoaderState;
import dev.penstock.LocalCache;
import dev.penstock.Mixture;
import dev.penstock.Mixture.Stop;
import dev.penstock.RowDataset;
import dev.penstock.StructuredDataset;
import dev.penstock.batch.Batch;
import dev.penstock.batch.Collators;
import dev.penstock.batch.RaggedTensor;
import dev.penstock.batch.StringEncoding;
import dev.penstock.batch.Tensor;
import dev.penstock.batch.Vocabulary;
import dev.penstock.compose.Composition;
import dev.penstock.filter.Fold;
import dev.penstock.sample.Generator;
import dev.penstock.sample.WeightedRandomSampler;
import dev.penstock.schema.DataType;
import dev.penstock.schema.Schema;
import dev.penstock.split.Rank;
import dev.penstock.split.Shuffle;
import dev.penstock.stats.LoaderStats;
import dev.penstock.transform.ColumnBlock;
import dev.penstock.transform.Fit;
import dev.penstock.transform.Preprocessing;
import dev.penstock.transform.Transform;
import dev.penstock.transform.TransformContext;
import java.awt.image.BufferedImage;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.atomic.LongAdder;
import java.util.stream.Collectors;
import java.util.stream.LongStream;
import javax.imageio.ImageIO;

/// The code of docs/how-to/cookbook.md, compiled here and run by [CookbookSnippetsTest].
///
/// A region stands in the text exactly as here; [SnippetsTest] compares them and writes them there.
final class CookbookSnippets extends YourCode {
  final List<String> texts = new ArrayList<>();

  private void train(Tensor features, Tensor label, double[] weights) {
    rows += label.shape().dim(0);
    for (int row = 0; row < label.shape().dim(0); row++) {
      sum += weights[label.getBoolean(row) ? 1 : 0];
    }
    assert features.shape().dim(0) == label.shape().dim(0);
  }

  void byFiles() {
    // @start region=split-by-files
    var training = new StructuredDataset("data/flights/part-[0-5].parquet");
    var validation = new StructuredDataset("data/flights/part-[67].parquet");
    // @end
    rows = count(training);
    validated = count(validation);
  }

  void byNumberOfFile() {
    // @start region=split-by-file-number
    List<String> trainingFiles = new ArrayList<>();
    List<String> heldOutFiles = new ArrayList<>();
    for (var file : new StructuredDataset("data/flights").files()) { // in path order
      String path = file.location().text();
      boolean isFifth = (trainingFiles.size() + heldOutFiles.size()) % 5 == 4;
      (isFifth ? heldOutFiles : trainingFiles).add(path);
    }
    var training = new StructuredDataset(trainingFiles);
    var validation = new StructuredDataset(heldOutFiles);
    // @end
    rows = count(training);
    validated = count(validation);
  }

  void byDate() {
    // @start region=split-by-date
    var flights = new StructuredDataset("data/flights").columns("date", "distance", "delay");
    var training = flights.where("date < date '2001-06-01'");
    var validation = flights.where("date >= date '2001-06-01'");
    // @end
    rows = count(training);
    validated = count(validation);
  }

  void holdout() {
    // @start region=holdout
    var flights = new StructuredDataset("data/flights").columns("distance", "delay");
    var training = flights.where("fold(origin, 10, 7) != 0");
    var validation = flights.where("fold(origin, 10, 7) = 0");
    // @end
    rows = count(training);
    validated = count(validation);
  }

  void mixture() {
    // @start region=mixture
    var far = new StructuredDataset("data/flights").where("distance > 1000");
    var near = new StructuredDataset("data/flights").where("distance <= 1000");
    var mixed =
        new StructuredDataset(Mixture.of(far, 0.7).and(near, 0.3).sourceColumn("source"))
            .columns("distance", "delay", "source");

    try (DataLoader loader = DataLoader.of(mixed, o -> o.batchSize(1024))) {
      for (Batch batch : loader) {
        try (batch) { // 717 far flights and 307 near ones, to within one
          train(batch.tensor("distance"), batch.tensor("delay"));
        }
      }
    }
    // @end
  }

  void buckets() {
    // @start region=buckets
    var articles = new StructuredDataset("data/articles").columns("tokens", "label");
    var buckets = Composition.buckets("tokens").tokens(4096);

    try (DataLoader loader = DataLoader.of(articles, o -> o.compose(buckets))) {
      for (Batch batch : loader) {
        try (batch) { // tokens: [rows, longest], at most 4,096 elements; lengths: [rows]
          RaggedTensor tokens = batch.ragged("tokens");
          train(tokens.padded(0), tokens.lengths());
        }
      }
    }
    // @end
  }

  void packs() {
    // @start region=packs
    var articles = new StructuredDataset("data/articles").columns("tokens");
    var packs = Composition.packs("tokens", 512).whole();

    try (DataLoader loader =
        DataLoader.of(
            articles, o -> o.batchSize(16).shuffle(Shuffle.window(65_536)).compose(packs))) {
      for (Batch batch : loader) {
        try (batch) { // each of shape [16, 512]
          train(batch.tensor("tokens"), batch.tensor("tokens.segment"));
        }
      }
    }
    // @end
  }

  void balancedRanks() {
    // @start region=balanced-ranks
    var articles = new StructuredDataset("data/articles").columns("tokens", "label");

    try (DataLoader loader =
        DataLoader.of(
            articles,
            o ->
                o.compose(Composition.balanced("tokens"))
                    .shuffle(Shuffle.window(131_072))
                    .batchSize(16)
                    .rank(new Rank(0, 8)))) {
      System.out.println(loader.rankCosts().balanced()); // how unequal the ranks will be
      for (Batch batch : loader) {
        try (batch) { // 16 rows, of about as many tokens as those of the other ranks
          train(batch.ragged("tokens"), batch.tensor("label"));
        }
      }
    }
    // @end
  }

  void groups() {
    // @start region=groups
    var series = new StructuredDataset("data/series").columns("series", "value");

    try (DataLoader loader =
        DataLoader.of(
            series, o -> o.batchSize(256).shuffle(true).compose(Composition.groups("series")))) {
      for (Batch batch : loader) {
        try (batch) { // at most 256 rows, of whole series
          train(batch.tensor("value"), batch.tensor("series"));
        }
      }
    }
    // @end
  }

  void slidingWindows() {
    // @start region=windows
    var series = new StructuredDataset("data/series").columns("series", "value");
    var windows = Composition.windows("series", 32, 8); // 32 rows, 8 further each time

    try (DataLoader loader = DataLoader.of(series, o -> o.batchSize(64).compose(windows))) {
      for (Batch batch : loader) {
        try (batch) { // value: [64, 32]
          train(batch.tensor("value"), batch.tensor("series.rows"));
        }
      }
    }
    // @end
  }

  void draws() {
    // @start region=draws
    var flights = new StructuredDataset("data/flights").columns("distance", "delay");
    var draws = Composition.draws("distance").numSamples(100_000); // far flights more often

    try (DataLoader loader =
        DataLoader.of(
            flights, o -> o.batchSize(500).shuffle(Shuffle.window(65_536)).compose(draws))) {
      for (Batch batch : loader) {
        try (batch) {
          train(batch.tensor("distance"), batch.tensor("delay"));
        }
      }
    }
    // @end
  }

  void cache() {
    // @start region=cache
    var flights = new StructuredDataset("data/flights").cache("data/cache", "20GiB");

    try (DataLoader loader = DataLoader.of(flights, o -> o.batchSize(512))) {
      for (int epoch = 0; epoch < 3; epoch++) {
        for (Batch batch : loader) {
          try (batch) {
            train(batch.tensor("distance"), batch.tensor("delay"));
          }
        }
        IO.println(loader.stats().read().cached() + " bytes from the cache");
      }
    }
    // @end
  }

  void localCache() {
    // @start region=local-cache
    LocalCache cache = LocalCache.at("data/cache");
    for (LocalCache.KeptFile file : cache.files()) {
      IO.println(file.location() + ": " + file.bytes() + " bytes, used " + file.lastUsed());
    }
    List<String> damaged = cache.check();
    long freed = cache.clear();
    // @end
    assert damaged.isEmpty();
    rows = freed;
  }

  void balanced() {
    // @start region=balanced
    var flights =
        new StructuredDataset("data/flights")
            .columns("distance", "origin")
            .where("origin in ('ATL', 'ORD', 'LAX')");
    var balanced = new StructuredDataset(Mixture.balanced(flights, "origin").stop(Stop.REPEAT));
    // @end
    rows = count(balanced);
  }

  void crossValidation() {
    // @start region=cross-validation
    var flights = new StructuredDataset("data/flights").columns("distance", "delay");
    Fold fold = col("origin").fold(5, 7); // 5 folds, seed 7
    for (int held = 0; held < fold.k(); held++) {
      try (DataLoader training = DataLoader.of(flights.filter(fold.eq(held).not()));
          DataLoader validation = DataLoader.of(flights.filter(fold.eq(held)))) {
        for (Batch batch : training) {
          try (batch) {
            train(batch.tensor("distance"), batch.tensor("delay"));
          }
        }
        for (Batch batch : validation) {
          try (batch) {
            validate(batch.tensor("distance"), batch.tensor("delay"));
          }
        }
      }
    }
    // @end
  }

  void validation() {
    // @start region=deterministic-validation
    var flights =
        new StructuredDataset("data/flights/part-[67].parquet").columns("distance", "delay");

    try (DataLoader loader =
        DataLoader.of(
            flights,
            o ->
                o.batchSize(4096)
                    .shuffle(false)
                    .rank(new Rank(0, 1)))) { // whatever the launcher says
      for (Batch batch : loader) {
        try (batch) {
          validate(batch.tensor("distance"), batch.tensor("delay"));
        }
      }
    }
    // @end
  }

  void sameNumbers() {
    // @start region=fit-on-training
    var training =
        new StructuredDataset("data/flights/part-[0-5].parquet").columns("distance", "origin");
    var validation =
        new StructuredDataset("data/flights/part-[67].parquet").columns("distance", "origin");
    Preprocessing fitted = Preprocessing.fit(training, Fit.standardize("distance"));

    try (DataLoader loader =
        DataLoader.of(
            training, o -> o.transform(fitted).strings("origin", StringEncoding.codes()))) {
      Vocabulary origins = loader.vocabulary("origin");
      int unknown = origins.size(); // an airport that no training row has
      try (DataLoader heldOut =
          DataLoader.of(
              validation,
              o ->
                  o.transform(fitted)
                      .strings("origin", StringEncoding.codes(origins).unknown(unknown)))) {
        for (Batch batch : heldOut) {
          try (batch) {
            validate(batch.tensor("distance"), batch.tensor("origin"));
          }
        }
      }
    }
    // @end
  }

  void classWeights() {
    // @start region=class-weights
    var flights = new StructuredDataset("data/flights").columns("distance", "delay");

    long[] counts = new long[2]; // on time, late
    for (long[] ofBlock :
        flights.mapBlocks(
            List.of("delay"), // one pass over this column, by all workers
            block -> {
              long late = Arrays.stream(block.longs("delay")).filter(delay -> delay > 15).count();
              return new long[] {block.rowCount() - late, late};
            })) {
      counts[0] += ofBlock[0];
      counts[1] += ofBlock[1];
    }
    double all = counts[0] + counts[1];
    double[] weights = {all / (2 * counts[0]), all / (2 * counts[1])}; // scikit-learn's "balanced"

    Transform isLate =
        (block, context) -> {
          long[] delays = block.longs("delay");
          boolean[] late = new boolean[delays.length];
          for (int row = 0; row < late.length; row++) {
            late[row] = delays[row] > 15;
          }
          return block.with("late", late).without("delay");
        };
    try (DataLoader loader = DataLoader.of(flights, o -> o.batchSize(512).transform(isLate))) {
      for (Batch batch : loader) {
        try (batch) {
          train(batch.tensor("distance"), batch.tensor("late"), weights); // weighs each row's loss
        }
      }
    }
    // @end
  }

  void weightedDraws() throws IOException {
    // @start region=weighted-draws
    var flights = new StructuredDataset("data/flights").columns("distance", "delay");

    try (RowDataset rows = flights.openRows("256MiB")) { // holds the two columns, decoded
      double[] weights =
          Arrays.stream(flights.longs("delay")) // in the order of the rows' numbers
              .mapToDouble(delay -> delay > 15 ? 4 : 1) // late flights four times as often
              .toArray();
      var draws = new WeightedRandomSampler(weights, 20_000); // an epoch, with repeats
      try (var loader =
          DataLoader.of(
              rows,
              o -> o.sampler(draws.withGenerator(new Generator(42))).batchSize(512).workers(2))) {
        for (Batch batch : loader) {
          try (batch) {
            train(batch.tensor("distance"), batch.tensor("delay"));
          }
        }
      }
    }
    // @end
  }

  void countByKey() {
    // @start region=count-by-key
    var flights = new StructuredDataset("data/flights");

    Map<String, Long> counts = new TreeMap<>();
    for (Map<String, Long> ofBlock :
        flights.mapBlocks(
            List.of("origin"),
            block ->
                Arrays.stream(block.strings("origin"))
                    .collect(Collectors.groupingBy(String::valueOf, Collectors.counting())))) {
      ofBlock.forEach((origin, count) -> counts.merge(origin, count, Long::sum));
    }
    // @end
    rows = counts.values().stream().mapToLong(count -> count).sum();
    texts.addAll(counts.keySet());
  }

  void sideBySide() {
    // @start region=side-by-side
    var distances = new StructuredDataset("data/flights").columns("distance");
    var delays = new StructuredDataset("data/flights").columns("delay");

    try (DataLoader left = DataLoader.of(distances, o -> o.batchSize(512));
        DataLoader right = DataLoader.of(delays, o -> o.batchSize(512));
        EpochIterator<Batch> lefts = left.iterator();
        EpochIterator<Batch> rights = right.iterator()) {
      while (lefts.hasNext() && rights.hasNext()) {
        try (Batch distance = lefts.next();
            Batch delay = rights.next()) {
          train(distance.tensor("distance"), delay.tensor("delay"));
        }
      }
    }
    // @end
  }

  void wholeColumns() {
    // @start region=whole-columns
    var flights = new StructuredDataset("data/flights").where("delay > 600");

    long count = flights.rowCount();
    double[] distances = flights.doubles("distance");
    long[] delays = flights.longs("delay");
    // @end
    rows = count;
    sum = Arrays.stream(distances).sum();
    validated = delays.length;
  }

  void stream() {
    // @start region=stream
    var flights = new StructuredDataset("data/flights").columns("distance");

    long miles;
    try (DataLoader loader = DataLoader.of(flights, o -> o.batchSize(512).workers(2))) {
      miles =
          loader.stream()
              .mapToLong(batch -> LongStream.of((long[]) batch.tensor("distance").toArray()).sum())
              .sum();
    }
    // @end
    sum = miles;
  }

  void listen() {
    // @start region=listen
    var flights = new StructuredDataset("data/flights").columns("distance", "delay");
    LongAdder seen = new LongAdder();

    try (Loader<Batch> listening =
        DataLoader.of(flights, o -> o.batchSize(512).workers(2))
            .collate(batch -> { // in the workers, as batches become ready
              seen.add(batch.rowCount());
              return batch;
            })) {
      fit(listening); // DjlDataset.of, DevicePrefetcher.of, QuantileMatrix.of
    }
    // @end
    validated = seen.sum();
  }

  void limit() {
    // @start region=limit-rows
    var flights = new StructuredDataset("data/flights").columns("distance", "delay");

    try (DataLoader loader =
        DataLoader.of(flights, o -> o.batchSize(512).stepsPerEpoch(20))) { // 10,240 rows
      for (Batch batch : loader) {
        try (batch) {
          train(batch.tensor("distance"), batch.tensor("delay"));
        }
      }
    }
    // @end
  }

  // @start region=pad
  /// Copies lists of tokens to `[rows, length]`: longer lists are cut, shorter ones padded.
  private static Tensor padded(RaggedTensor tokens, int length, int padding) {
    int[] block = new int[tokens.rowCount() * length];
    Arrays.fill(block, padding);
    for (int row = 0; row < tokens.rowCount(); row++) {
      Tensor list = tokens.row(row);
      for (int i = 0; i < Math.min(tokens.length(row), length); i++) {
        block[row * length + i] = list.getInt(i);
      }
    }
    return Tensor.of(block, tokens.rowCount(), length); // INT32, on the heap: valid after close()
  }

  // @end

  void padding() {
    // @start region=pad-loop
    var articles = new StructuredDataset("data/articles").columns("tokens", "label");

    try (DataLoader loader = DataLoader.of(articles, o -> o.batchSize(512))) {
      for (Batch batch : loader) {
        try (batch) {
          train(padded(batch.ragged("tokens"), 32, -1), batch.tensor("label"));
        }
      }
    }
    // @end
  }

  void paddingRows() throws IOException {
    // @start region=pad-rows
    var padded = Collators.<Map<String, Object>>standard().pad("tokens", 0, "length");
    try (RowDataset articles =
            new StructuredDataset("data/articles").columns("tokens", "label").openRows();
        var loader = DataLoader.of(articles, o -> o.batchSize(64).shuffle(true).collate(padded))) {
      for (Batch batch : loader) {
        try (batch) { // tokens: [64, longest of the batch]; length: INT64 [64]
          train(batch.tensor("tokens"), batch.tensor("length"));
        }
      }
    }
    // @end
  }

  // @start region=decode-image
  /// Decodes an image to red, green and blue in [0, 1], one plane after another.
  private static void decode(byte[] file, float[] planes, int offset, int side) {
    try {
      BufferedImage image = ImageIO.read(new ByteArrayInputStream(file));
      if (image == null) {
        throw new IllegalArgumentException("Cannot decode an image: ImageIO knows no such format.");
      }
      for (int y = 0; y < side; y++) {
        for (int x = 0; x < side; x++) { // nearest pixel
          int rgb = image.getRGB(x * image.getWidth() / side, y * image.getHeight() / side);
          for (int plane = 0; plane < 3; plane++) {
            int value = (rgb >> (16 - 8 * plane)) & 0xFF;
            planes[offset + (plane * side + y) * side + x] = value / 255f;
          }
        }
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  // @end

  void images() {
    // @start region=images
    record Images(Tensor pixels, Tensor labels) {}
    int side = 8;
    var pictures = new StructuredDataset("data/pictures").columns("image", "label");

    try (CollatedLoader<Images> loader =
        DataLoader.of(pictures, o -> o.batchSize(4).workers(2).shuffle(Shuffle.window(1000)))
            .collate(batch -> { // in the workers
              try (batch) {
                List<?> files = batch.list("image"); // byte[]
                float[] planes = new float[files.size() * 3 * side * side];
                for (int row = 0; row < files.size(); row++) {
                  decode((byte[]) files.get(row), planes, row * 3 * side * side, side);
                }
                long[] labels = (long[]) batch.tensor("label").toArray();
                return new Images(
                    Tensor.of(planes, files.size(), 3, side, side),
                    Tensor.of(labels, labels.length));
              }
            })) {
      for (Images images : loader) {
        train(images.pixels(), images.labels());
      }
    }
    // @end
  }

  void log() throws IOException {
    // @start region=log
    var flights = new StructuredDataset("data/flights").columns("distance", "delay");
    Path file = Path.of("data/log.jsonl");

    try (DataLoader loader = DataLoader.of(flights, o -> o.batchSize(512))) {
      for (int epoch = 0; epoch < 3; epoch++) {
        for (Batch batch : loader) {
          try (batch) {
            train(batch.tensor("distance"), batch.tensor("delay"));
          }
        }
        Files.writeString(file, line(loader.stats()), CREATE, APPEND);
      }
    }
    // @end
  }

  // @start region=log-line
  private static String line(LoaderStats stats) {
    double seconds = stats.times().nanos() / 1e9;
    return String.format(
        Locale.ROOT,
        "{\"epoch\":%d,\"rows\":%d,\"rowsPerSecond\":%.0f,\"waitShare\":%.3f,\"megabytesRead\":%.1f,"
            + "\"peakMegabytes\":%.1f}%n",
        stats.epoch(),
        stats.rows(),
        stats.rows() / seconds,
        stats.times().waitNanos() / 1e9 / seconds,
        stats.read().bytes() / 1e6,
        stats.memory().peakBytes() / 1e6);
  }

  // @end

  void severalFolders() {
    // @start region=several-folders
    var both = new StructuredDataset("data/flights/part-[0-3].parquet", "data/more");
    // @end
    rows = count(both);
  }

  void oneType() {
    // @start region=one-type
    var flights =
        new StructuredDataset("data/flights")
            .columns("distance", "delay")
            .cast("*", DataType.float32()); // every column
    // @end
    try (DataLoader loader = DataLoader.of(flights)) {
      for (Batch batch : loader) {
        try (batch) {
          texts.add(batch.tensor("delay").dtype().toString());
          train(batch.tensor("distance"), batch.tensor("delay"));
        }
      }
    }
  }

  void shuffleWell() {
    // @start region=shuffle-well
    var flights =
        new StructuredDataset("data/flights")
            .columns("distance", "delay")
            .splitRows(5_000); // the smallest split is a row group

    try (DataLoader loader =
        DataLoader.of(
            flights,
            o -> o.batchSize(512).shuffle(Shuffle.window(65_536).interleave(8)).seed(42))) {
      for (Batch batch : loader) {
        try (batch) {
          train(batch.tensor("distance"), batch.tensor("delay"));
        }
      }
    }
    // @end
  }

  void shuffleGlobal() {
    // @start region=shuffle-global
    var flights = new StructuredDataset("data/flights").cache("data/cache", "20GiB");

    try (DataLoader loader =
        DataLoader.of(flights, o -> o.batchSize(512).shuffle(Shuffle.global()).seed(42))) {
      for (Batch batch : loader) {
        try (batch) {
          train(batch.tensor("distance"), batch.tensor("delay"));
        }
      }
    }
    // @end
  }

  void checkpoint() throws IOException {
    // @start region=checkpoint
    var flights = new StructuredDataset("data/flights").columns("distance", "delay");
    Path file = Path.of("data/checkpoint.json");

    try (DataLoader loader = DataLoader.of(flights, o -> o.batchSize(512))) {
      if (Files.exists(file)) {
        loader.resume(LoaderState.parse(Files.readString(file)));
      }
      while (loader.state().epoch() < 2) {
        for (Batch batch : loader) {
          try (batch) {
            train(batch.tensor("distance"), batch.tensor("delay"));
          }
          if (loader.state().batches() % 100 == 0) {
            Files.writeString(file, loader.state().toJson()); // beside the model, after its step
          }
        }
      }
    }
    // @end
  }

  void loaderAlone() {
    // @start region=loader-alone
    var flights = new StructuredDataset("data/flights").columns("distance", "delay");

    try (DataLoader loader = DataLoader.of(flights, o -> o.batchSize(512))) {
      for (int epoch = 0; epoch < 5; epoch++) { // the first ones run code that is not compiled yet
        for (Batch batch : loader) {
          batch.close();
        }
        LoaderStats stats = loader.stats();
        double perSecond = stats.rows() / (stats.times().nanos() / 1e9);
        IO.println("epoch %d: %,.0f rows/s".formatted(epoch, perSecond));
      }
    }
    // @end
  }

  // @start region=request
  record Input(double distance, int origin) {}

  /// What a model is given for a request, by what training made.
  static Input input(Preprocessing fitted, Vocabulary origins, double distance, String origin) {
    ColumnBlock row =
        new ColumnBlock(Schema.of(List.of()), 1, List.of())
            .with("distance", new double[] {distance});
    ColumnBlock ready =
        fitted.apply(row, new TransformContext(Optional.of("a request"), 0, 0, 0, 0, 1));
    return new Input(ready.doubles("distance")[0], origins.code(origin).orElse(origins.size()));
  }

  // @end

  void fromPandas() {
    // @start region=from-pandas
    var flights =
        new StructuredDataset("data/flights").columns("distance", "delay").where("distance > 1000");
    try (DataLoader loader =
        DataLoader.of(
            flights,
            o ->
                o.batchSize(512)
                    .features("x", "distance")
                    .shuffle(Shuffle.window(65_536))
                    .seed(7))) {
      for (Batch batch : loader) {
        try (batch) {
          train(batch.tensor("x"), batch.tensor("delay")); // [512, 1] and [512]
        }
      }
    }
    // @end
  }

  private static long count(StructuredDataset dataset) {
    long rows = 0;
    try (DataLoader loader = DataLoader.of(dataset)) {
      for (Batch batch : loader) {
        try (batch) {
          rows += batch.rowCount();
        }
      }
    }
    return rows;
  }
}
