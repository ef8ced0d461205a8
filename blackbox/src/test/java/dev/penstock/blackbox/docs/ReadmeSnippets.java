package dev.penstock.blackbox.docs;

import static dev.penstock.filter.Filter.col;
import static java.nio.file.StandardCopyOption.ATOMIC_MOVE;

import dev.penstock.CollatedLoader;
import dev.penstock.DataLoader;
import dev.penstock.LoaderState;
import dev.penstock.RowDataset;
import dev.penstock.StructuredDataset;
import dev.penstock.arrow.ArrowBatches;
import dev.penstock.batch.Batch;
import dev.penstock.batch.DecimalForm;
import dev.penstock.batch.EpochUnit;
import dev.penstock.batch.NullPolicy;
import dev.penstock.batch.OutputFormat;
import dev.penstock.batch.RaggedTensor;
import dev.penstock.batch.StringEncoding;
import dev.penstock.batch.Tensor;
import dev.penstock.batch.Vocabulary;
import dev.penstock.blackbox.contract.Delivery;
import dev.penstock.data.Datasets;
import dev.penstock.data.IterableDataset;
import dev.penstock.data.Sharing;
import dev.penstock.delta.DeltaDataset;
import dev.penstock.device.DeviceBatch;
import dev.penstock.device.DevicePrefetcher;
import dev.penstock.iceberg.IcebergDataset;
import dev.penstock.options.LoaderOptions;
import dev.penstock.sample.Generator;
import dev.penstock.schema.DataType;
import dev.penstock.schema.MissingColumns;
import dev.penstock.split.FileSplit;
import dev.penstock.split.Rank;
import dev.penstock.split.Split;
import dev.penstock.split.SplitStrategy;
import dev.penstock.stats.LoaderStats;
import dev.penstock.transform.ColumnBlock;
import dev.penstock.transform.Fit;
import dev.penstock.transform.Preprocessing;
import dev.penstock.transform.Transform;
import dev.penstock.transform.TransformContext;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.stream.LongStream;
import org.apache.arrow.vector.BigIntVector;
import org.apache.arrow.vector.VectorSchemaRoot;
import org.apache.arrow.vector.complex.ListVector;

/// The code of the README and the guides, compiled here and run by [ReadmeSnippetsTest].
///
/// A region stands in the text exactly as here; to change one, change it here, then let
/// [SnippetsTest] write it there.
final class ReadmeSnippets extends YourCode {
  final List<String> currencies = new ArrayList<>();
  List<String> texts = new ArrayList<>();

  private void train(Tensor origin, Tensor delay, Vocabulary origins) {
    train(origin, delay);
    texts = origins.texts();
  }

  List<List<Object>> csv() {
    // @start region=csv
    var prices =
        new StructuredDataset("data/prices") // .csv, .csv.gz, ...
            .formatOption("delimiter", ";")
            .formatOption("null", "NA")
            .cast("zip", DataType.string()); // 00501 stays 00501
    // @end
    return rowsOf(prices);
  }

  private static List<List<Object>> rowsOf(StructuredDataset dataset) {
    try (DataLoader loader = DataLoader.of(dataset, o -> o.output(OutputFormat.MAP))) {
      return Delivery.ofEpoch(loader).rows();
    }
  }

  void quickStart() {
    // @start region=quick-start
    var flights = new StructuredDataset("data/flights").columns("distance", "delay", "origin");

    try (DataLoader loader =
        DataLoader.of(flights, o -> o.batchSize(512).workers(2).shuffle(true).seed(42))) {
      for (int epoch = 0; epoch < 3; epoch++) {
        for (Batch batch : loader) {
          try (batch) { // gives its memory back
            Tensor distance = batch.tensor("distance"); // off-heap, shape [512]
            Tensor delay = batch.tensor("delay");
            List<String> origins = batch.strings("origin");
            train(distance, delay, origins);
          }
        }
      }
    }
    // @end
  }

  void resume() throws IOException {
    // @start region=resume
    var flights = new StructuredDataset("data/flights").columns("distance", "delay");
    Path saved = Path.of("data/state.json");
    Path draft = Path.of("data/state.json.tmp");

    try (DataLoader loader = DataLoader.of(flights, o -> o.batchSize(512).shuffle(true).seed(42))) {
      if (Files.exists(saved)) { // by a run that was stopped
        loader.resume(LoaderState.parse(Files.readString(saved)));
      }
      for (long epoch = loader.state().epoch(); epoch < 3; epoch++) {
        for (Batch batch : loader) {
          try (batch) {
            train(batch.tensor("distance"), batch.tensor("delay"));
          }
          Files.writeString(draft, loader.state().toJson()); // after any batch
          Files.move(draft, saved, ATOMIC_MOVE);
        }
      }
    }
    // @end
  }

  void objectStores() {
    // @start region=object-stores
    var flights = new StructuredDataset("s3://lake/flights/").storageOption("region", "eu-west-1");
    // @end
    texts.add(flights.locations().getFirst());
  }

  void huggingFace() {
    // @start region=hugging-face
    var text = new StructuredDataset("hf://datasets/OWNER/NAME/data/");
    // @end
    texts.add(text.locations().getFirst());
  }

  void delta() {
    // @start region=delta
    var table = DeltaDataset.table("s3://lake/flights").version(12);
    // @end
    texts.add(table.toString());
  }

  void variants() {
    // @start region=variants
    var events = new StructuredDataset("data/events"); // v is a variant
    var objects = events.columns("v"); // Java objects
    var json = events.cast("v", DataType.string()).columns("v"); // JSON text
    var ids =
        events
            .cast("v.user.id", DataType.int64()) // a column of its own
            .columns("v.user.id")
            .where("v.user.id > 1000");
    // @end
    texts.addAll(List.of(objects.toString(), json.toString(), ids.toString()));
  }

  void iceberg() {
    // @start region=iceberg
    String token = System.getenv().getOrDefault("TOKEN", "");
    var table =
        IcebergDataset.table(
                "db.flights", Map.of("type", "rest", "uri", "https://catalog", "token", token))
            .ref("training");
    // @end
    texts.add(table.toString());
  }

  void memory() {
    // @start region=memory
    var flights = new StructuredDataset("data/flights").columns("distance", "delay");

    try (DataLoader loader =
        DataLoader.of(flights, o -> o.batchSize(512).workers(4).memory("64MiB"))) {
      for (Batch batch : loader) {
        try (batch) {
          train(batch.tensor("distance"), batch.tensor("delay"));
        }
      }
      IO.println(loader.stats().memory().peakBytes() + " bytes at most");
    }
    // @end
  }

  void stats() {
    // @start region=stats
    var flights = new StructuredDataset("data/flights");

    try (DataLoader loader = DataLoader.of(flights, LoaderOptions.defaults().workers(2))) {
      for (Batch batch : loader) {
        try (batch) {
          train(batch.tensor("distance"), batch.tensor("delay"));
        }
      }
      LoaderStats stats = loader.stats();
      IO.println(stats.bottleneck());
      stats.times().workers().forEach(IO::println);
    }
    // @end
  }

  void report() throws IOException {
    // @start region=report
    var flights = new StructuredDataset("data/flights").columns("distance", "delay");

    try (DataLoader loader =
        DataLoader.of(flights, o -> o.batchSize(512).workers(2).record(true))) {
      for (Batch batch : loader) {
        try (batch) {
          train(batch.tensor("distance"), batch.tensor("delay"));
        }
      }
      loader.report(Path.of("data/run.html"));
    }
    // @end
  }

  void ranks() {
    // @start region=ranks
    var flights = new StructuredDataset("data/flights").columns("distance", "delay");
    var options = LoaderOptions.defaults().batchSize(512).rank(new Rank(1, 4));

    try (DataLoader loader = DataLoader.of(flights, options)) {
      long steps = loader.batchesPerEpoch(); // the same on every rank
      for (Batch batch : loader) {
        try (batch) {
          train(batch.tensor("distance"), batch.tensor("delay"));
        }
      }
      IO.println(steps + " steps");
    }
    // @end
  }

  void merge() throws IOException {
    // @start region=merge
    var flights = new StructuredDataset("data/flights").columns("distance", "delay");
    var options = LoaderOptions.defaults().batchSize(512);

    for (int rank = 0; rank < 4; rank++) { // four processes, each stopped after its first batch
      try (DataLoader loader = DataLoader.of(flights, options.rank(new Rank(rank, 4)))) {
        try (Batch batch = loader.iterator().next()) {
          train(batch.tensor("distance"), batch.tensor("delay"));
        }
        Files.writeString(Path.of("data/state-" + rank + ".json"), loader.state().toJson());
      }
    }

    List<LoaderState> states = new ArrayList<>();
    for (int rank = 0; rank < 4; rank++) { // of the stopped run
      states.add(LoaderState.parse(Files.readString(Path.of("data/state-" + rank + ".json"))));
    }
    try (DataLoader loader = DataLoader.of(flights, options.rank(new Rank(0, 1)))) {
      loader.resume(LoaderState.merge(states)); // on each rank of the new run, here of one
      for (Batch batch : loader) {
        try (batch) {
          train(batch.tensor("distance"), batch.tensor("delay"));
        }
      }
    }
    // @end
  }

  void features() {
    // @start region=features
    var flights = new StructuredDataset("data/flights");

    try (DataLoader loader =
        DataLoader.of(flights, o -> o.batchSize(512).features("x", "distance", "delay"))) {
      for (Batch batch : loader) {
        try (batch) {
          Tensor x = batch.tensor("x"); // FLOAT32, shape [512, 2], row-major
          List<String> origins = batch.strings("origin"); // the other columns come on their own
          train(x, origins);
        }
      }
    }
    // @end
  }

  float[][] elements() {
    // @start region=elements
    Tensor x = Tensor.of(new float[] {719, -3, 2475, 14}, 2, 2); // or of a batch
    float distance = x.getFloat(1, 0); // of row 1
    Tensor row = x.row(1); // shape [2], without a copy
    float delay = row.getFloat(1);
    float[][] rows = x.toArrays(float[].class); // a copy, which stays valid
    // @end
    assert distance == rows[1][0] && delay == rows[1][1];
    return rows;
  }

  void filters() {
    // @start region=filters
    var late =
        new StructuredDataset("data/flights")
            .columns("distance", "delay")
            .filter(col("delay").ge(15).and(col("origin").in("ATL", "ORD")));
    var same =
        new StructuredDataset("data/flights")
            .columns("distance", "delay")
            .where("delay >= 15 and origin in ('ATL', 'ORD')");
    // @end
    for (StructuredDataset dataset : List.of(late, same)) {
      try (DataLoader loader = DataLoader.of(dataset)) {
        for (Batch batch : loader) {
          try (batch) {
            train(batch.tensor("distance"), batch.tensor("delay"));
          }
        }
      }
    }
  }

  void nulls() {
    // @start region=nulls
    var weather = new StructuredDataset("data/weather").columns("wind", "gusts");
    long sum = 0;

    try (DataLoader loader = DataLoader.of(weather, o -> o.nulls(NullPolicy.mask()))) {
      for (Batch batch : loader) {
        try (batch) {
          Tensor gusts = batch.tensor("gusts"); // 0 where the row is null
          Tensor present = batch.tensor("gusts.mask"); // BOOL: 1 = present, 0 = null
          for (int row = 0; row < batch.rowCount(); row++) {
            if (present.getBoolean(row)) {
              sum += gusts.getInt(row);
            }
          }
        }
      }
    }
    IO.println(sum);
    // @end
  }

  void columnNulls() {
    // @start region=column-nulls
    var weather = new StructuredDataset("data/weather");
    var options =
        LoaderOptions.defaults()
            .nulls(NullPolicy.error()) // for all columns, but
            .nulls("gusts", NullPolicy.fill(-1));
    // @end
    sum(weather, options, "gusts");
  }

  void strings() {
    // @start region=strings
    var flights = new StructuredDataset("data/flights").columns("origin", "delay");

    try (DataLoader loader =
        DataLoader.of(flights, o -> o.strings("origin", StringEncoding.codes()))) {
      Vocabulary origins = loader.vocabulary("origin"); // found by one pass over the column
      for (Batch batch : loader) {
        try (batch) {
          Tensor origin = batch.tensor("origin"); // INT32, in [0, origins.size())
          Tensor delay = batch.tensor("delay");
          train(origin, delay, origins);
        }
      }
    }
    // @end
  }

  void vocabulary() throws IOException {
    // @start region=vocabulary
    Path file = Path.of("data/origins.jsonl");
    Vocabulary.of("ORD", "ATL").save(file);

    var origins = Vocabulary.load(file);
    int unknown = origins.size(); // one code behind those of the vocabulary, and one more
    var options =
        LoaderOptions.defaults()
            .strings("origin", StringEncoding.codes(origins).unknown(unknown))
            .nulls("origin", NullPolicy.fill(unknown + 1));
    // @end
    sum(new StructuredDataset("data/flights"), options, "origin");
  }

  void forms() {
    // @start region=forms
    var options =
        LoaderOptions.defaults()
            .timestamps(EpochUnit.SECONDS) // all dates and timestamps, but
            .timestamps("departure", EpochUnit.MILLIS)
            .decimals("fare", DecimalForm.FLOAT64)
            .strings("carrier", StringEncoding.hash(1 << 12));
    // @end
    assert options.columns().timestamps().forColumn("departure") == EpochUnit.MILLIS;
  }

  int options() {
    // @start region=options
    var options = LoaderOptions.defaults().batchSize(512).workers(2).shuffle(true).seed(42);
    int rows = options.batching().size(); // 512
    // @end
    return rows;
  }

  private void sum(StructuredDataset dataset, LoaderOptions options, String column) {
    try (DataLoader loader = DataLoader.of(dataset, options)) {
      for (Batch batch : loader) {
        try (batch) {
          for (int row = 0; row < batch.rowCount(); row++) {
            sum += batch.tensor(column).getInt(row);
          }
        }
      }
    }
  }

  void embeddings() {
    // @start region=embeddings
    var articles = new StructuredDataset("data/articles").columns("embedding", "label");

    try (DataLoader loader = DataLoader.of(articles, o -> o.batchSize(512))) {
      for (Batch batch : loader) {
        try (batch) {
          Tensor embedding = batch.tensor("embedding"); // FLOAT32, shape [512, 16]
          Tensor label = batch.tensor("label");
          train(embedding, label);
        }
      }
    }
    // @end
  }

  void ragged() {
    // @start region=ragged
    var articles = new StructuredDataset("data/articles").columns("tokens", "source.site");
    long sum = 0;

    try (DataLoader loader = DataLoader.of(articles, o -> o.batchSize(512))) {
      for (Batch batch : loader) {
        try (batch) {
          RaggedTensor tokens = batch.ragged("tokens"); // lists of any length
          Tensor values = tokens.values(); // INT32: the tokens of all rows, one after another
          Tensor offsets = tokens.offsets(); // INT64, shape [513]: where each row starts
          for (int row = 0; row < batch.rowCount(); row++) {
            for (long i = offsets.getLong(row); i < offsets.getLong(row + 1); i++) {
              sum += values.getInt(i);
            }
          }
          List<String> sites = batch.strings("source.site"); // one field of the structs in "source"
          IO.println("the first of " + sites.size() + " is of " + sites.getFirst());
        }
      }
    }
    IO.println(sum);
    // @end
  }

  void schema() {
    // @start region=schema
    var sales =
        new StructuredDataset("data/sales")
            .missingColumns(MissingColumns.nulls().withDefault("currency", "EUR"))
            .cast("price", DataType.float32())
            .cast("count_*", DataType.int32())
            .caseSensitive(false);
    // @end
    rows = sales.plan(LoaderOptions.defaults(), 0).rows();
    try (DataLoader loader = DataLoader.of(sales)) {
      for (Batch batch : loader) {
        try (batch) {
          currencies.addAll(batch.strings("currency"));
          for (int row = 0; row < batch.rowCount(); row++) {
            sum += batch.tensor("price").getFloat(row) * batch.tensor("count_sold").getInt(row);
          }
        }
      }
    }
  }

  void partitions() {
    // @start region=partitions
    var sales = new StructuredDataset("data/sales").hivePartitions().columns("price", "year");

    try (DataLoader loader = DataLoader.of(sales, o -> o.batchSize(512))) {
      for (Batch batch : loader) {
        try (batch) {
          Tensor price = batch.tensor("price");
          Tensor year = batch.tensor("year"); // from the folders year=2001, year=2002
          train(price, year);
        }
      }
    }
    // @end
  }

  void transform() {
    // @start region=transform
    var flights = new StructuredDataset("data/flights").columns("distance", "delay");
    Transform late =
        (block, context) -> { // 65,536 rows of one file, as columns
          long[] delay = block.longs("delay");
          float[] isLate = new float[block.rowCount()];
          for (int row = 0; row < isLate.length; row++) {
            isLate[row] = delay[row] >= 15 ? 1 : 0;
          }
          return block.with("is_late", isLate).without("delay");
        };

    try (DataLoader loader = DataLoader.of(flights, o -> o.batchSize(512).transform(late))) {
      for (Batch batch : loader) {
        try (batch) {
          train(batch.tensor("is_late"), batch.tensor("distance"));
        }
      }
    }
    // @end
  }

  void transformThatKeepsRows() {
    // @start region=keeps-rows
    record Late(long minutes) implements Transform {
      @Override
      public ColumnBlock apply(ColumnBlock block, TransformContext context) {
        long[] delay = block.longs("delay");
        float[] isLate = new float[delay.length];
        for (int row = 0; row < delay.length; row++) {
          isLate[row] = delay[row] >= minutes ? 1 : 0;
        }
        return block.with("is_late", isLate).without("delay");
      }

      @Override
      public boolean keepsRows() {
        return true;
      }
    }

    var flights = new StructuredDataset("data/flights").columns("distance", "delay");
    try (DataLoader loader =
        DataLoader.of(flights, o -> o.batchSize(512).transform(new Late(15)))) {
      IO.println(loader.batchesPerEpoch() + " steps"); // known before a row is read
      for (Batch batch : loader) {
        try (batch) {
          train(batch.tensor("is_late"), batch.tensor("distance"));
        }
      }
    }
    // @end
  }

  void readyTransforms() {
    // @start region=ready-transforms
    var flights = new StructuredDataset("data/flights").columns("distance", "delay", "origin");
    Preprocessing fitted =
        Preprocessing.fit( // one pass over the rows
            flights, Fit.standardize("distance"), Fit.minMax("delay"), Fit.oneHot("origin", 300));
    String json = fitted.toJson(); // keep it beside the model

    Preprocessing same = Preprocessing.fromJson(json);
    List<String> columns = same.outputs(); // distance, delay, origin_ABE, ...
    try (DataLoader loader =
        DataLoader.of(flights, o -> o.transform(same).features("x", columns))) {
      for (Batch batch : loader) {
        try (batch) {
          train(batch.tensor("x"));
        }
      }
    }
    // @end
  }

  void collate() {
    // @start region=collate
    record Means(int rows, double distance) {}
    var flights = new StructuredDataset("data/flights").columns("distance");
    double miles = 0;

    try (CollatedLoader<Means> loader =
        DataLoader.of(flights, o -> o.batchSize(512).workers(2))
            .collate(batch -> { // in the workers
              try (batch) {
                Tensor distance = batch.tensor("distance");
                double total = 0;
                for (int row = 0; row < batch.rowCount(); row++) {
                  total += distance.getLong(row);
                }
                return new Means(batch.rowCount(), total / batch.rowCount());
              }
            })) {
      for (Means means : loader) { // in the order of the batches
        miles += means.rows() * means.distance();
      }
    }
    IO.println(miles);
    // @end
  }

  void ownStrategy() {
    // @start region=own-strategy
    // Two readers: one takes the first half of every file, the other the second half.
    SplitStrategy halves =
        (files, readers, epoch) -> {
          List<FileSplit> first = new ArrayList<>();
          List<FileSplit> second = new ArrayList<>();
          for (var file : files) {
            long half = file.rows() / 2;
            first.add(FileSplit.of(file, 0, half));
            second.add(FileSplit.of(file, half, file.rows() - half));
          }
          return List.of(new Split(first), new Split(second));
        };
    var flights = new StructuredDataset("data/flights").splitStrategy(halves);
    // @end
    rows = flights.plan(LoaderOptions.defaults(), 0).rows();
  }

  void rowsByNumber() throws IOException {
    // @start region=rows-by-number
    var flights = new StructuredDataset("data/flights").columns("distance", "origin");

    try (RowDataset rows = flights.openRows("256MiB")) {
      IO.println(rows.get(rows.size() - 1).get("distance") + " miles");
      for (Map<String, Object> row : rows.getAll(new long[] {7, 0, 7})) {
        IO.println(row.get("distance") + " miles from " + row.get("origin"));
      }
    }
    // @end
  }

  void arrow() {
    // @start region=arrow
    var articles = new StructuredDataset("data/articles").columns("tokens", "label");
    long labels = 0;
    long tokens = 0;

    try (DataLoader loader =
        DataLoader.of(articles, o -> o.batchSize(512).output(OutputFormat.ARROW))) {
      for (Batch batch : loader) {
        try (batch) { // closes the vectors, too
          VectorSchemaRoot root = ArrowBatches.root(batch);
          BigIntVector label = (BigIntVector) root.getVector("label");
          ListVector lists = (ListVector) root.getVector("tokens");
          for (int row = 0; row < root.getRowCount(); row++) {
            labels += label.get(row);
            tokens += lists.getElementEndIndex(row) - lists.getElementStartIndex(row);
          }
        }
      }
    }
    IO.println(labels + " " + tokens);
    // @end
  }

  void arrowCData(MemorySegment array, MemorySegment schema, Runnable library) {
    // @start region=arrow-c-data
    var articles = new StructuredDataset("data/articles").columns("tokens", "label");

    try (DataLoader loader =
        DataLoader.of(articles, o -> o.batchSize(512).output(OutputFormat.ARROW))) {
      for (Batch batch : loader) {
        try (batch) {
          ArrowBatches.export(batch, array, schema); // where the library wants the structures
          library.run(); // it reads them there, and calls their release callbacks when it is done
        }
      }
    }
    // @end
  }

  void device(long stream) {
    // @start region=device
    var flights = new StructuredDataset("data/flights").columns("distance", "delay");

    try (DataLoader loader = DataLoader.of(flights, o -> o.batchSize(512).pinMemory(true));
        DevicePrefetcher prefetcher =
            DevicePrefetcher.of(loader, DevicePrefetcher.ownDevice(), stream)) {
      for (int epoch = 0; epoch < 3; epoch++) {
        for (DeviceBatch batch : prefetcher) { // the next one is being copied
          try (batch) { // closed when its work was submitted to the stream
            trainOnGpu(batch.tensor("distance"), stream);
          }
        }
      }
    }
    // @end
  }

  void constructor() {
    // @start region=constructor
    var dataset = new StructuredDataset("data/flights/*.parquet").splitRows(100_000);
    var options = LoaderOptions.defaults().batchSize(256).dropLast(true).output(OutputFormat.ARRAY);

    try (DataLoader loader = DataLoader.of(dataset, options)) {
      loader.setEpoch(5);
      for (Batch batch : loader) {
        try (batch) {
          train(batch.array("distance", long[].class));
        }
      }
    }
    // @end
  }

  void samples() {
    // @start region=samples
    record Point(float x, float y, boolean inside) {}
    var points = new ArrayList<Point>();
    for (int i = 0; i < 1000; i++) {
      points.add(new Point(i / 1000f, i % 10 / 10f, i % 2 == 0));
    }

    try (var loader =
        DataLoader.of(Datasets.ofList(points), o -> o.batchSize(64).shuffle(true).workers(2))) {
      for (int epoch = 0; epoch < 3; epoch++) {
        for (Batch batch : loader) {
          try (batch) {
            train(batch.tensor("x"), batch.tensor("inside")); // FLOAT32 [64], BOOL [64]
          }
        }
      }
    }
    // @end
  }

  void torchOrder() {
    // @start region=torch-order
    // torch.manual_seed(42); DataLoader(range(10), shuffle=True)
    Generator.global().manualSeed(42);
    try (var loader = DataLoader.of(Datasets.range(10), o -> o.shuffle(true).unbatched())) {
      for (long row : loader) { // 8, 0, 9, 1, 4, 5, 6, 3, 2, 7, as torch gives them
        IO.println(row);
      }
    }
    // @end
  }

  void eachRow() {
    // @start region=each-row
    // DataLoader(dataset, batch_size=None, collate_fn=lambda x: ...)
    var readings = Datasets.ofList(List.of(new float[] {1, 2}, new float[] {3}));
    try (var loader = DataLoader.of(readings, o -> o.unbatched(x -> Tensor.of(x, x.length)))) {
      for (Tensor reading : loader) {
        train(reading); // FLOAT32 [2], then FLOAT32 [1]
      }
    }
    // @end
  }

  void byKey() {
    // @start region=by-key
    Map<String, Long> ages = Map.of("ada", 36L, "blaise", 39L, "carl", 77L);
    var keys = Datasets.ofList(List.of("carl", "ada")); // DataLoader(ages, sampler=["carl", "ada"])
    try (var loader = DataLoader.of(keys, o -> o.unbatched(ages::get))) {
      for (long age : loader) { // 77, 36
        IO.println(age);
      }
    }
    // @end
  }

  void coverage() {
    // @start region=coverage
    IterableDataset<Long> stream = Datasets.ofStreams(() -> LongStream.range(0, 100).boxed());

    try (var loader = DataLoader.of(stream, o -> o.batchSize(8).workers(2))) {
      IO.println(loader.verifyCoverage()); // every row comes twice: both read all
    }
    try (var loader = DataLoader.of(Sharing.byRemainder(stream), o -> o.batchSize(8).workers(2))) {
      IO.println(loader.verifyCoverage()); // Every row once: 100 rows delivered of 100.
    }
    // @end
  }

  void keptTensor() {
    // @start region=kept-tensor
    var flights = new StructuredDataset("data/flights").columns("delay");
    List<Tensor> kept = new ArrayList<>();
    try (DataLoader loader = DataLoader.of(flights, o -> o.batchSize(512))) {
      for (Batch batch : loader) {
        try (batch) {
          kept.add(batch.tensor("delay")); // wrong: its memory is the next batch's
        }
      }
      IO.println(kept.getFirst().getLong(0)); // IllegalStateException
    }
    // @end
  }

  void keptCopy() {
    // @start region=kept-copy
    var flights = new StructuredDataset("data/flights").columns("delay");
    List<long[]> kept = new ArrayList<>();
    try (DataLoader loader = DataLoader.of(flights, o -> o.batchSize(512))) {
      for (Batch batch : loader) {
        try (batch) {
          kept.add((long[]) batch.tensor("delay").toArray()); // a copy, on the heap
        }
      }
    }
    // @end
    kept.forEach(delays -> rows += delays.length);
    sum = kept.stream().mapToLong(delays -> Arrays.stream(delays).sum()).sum();
  }

  void keptBatches() {
    // @start region=kept-batches
    var flights = new StructuredDataset("data/flights").columns("distance", "delay");
    try (DataLoader loader = DataLoader.of(flights, o -> o.batchSize(512))) {
      List<Batch> window = new ArrayList<>();
      for (Batch batch : loader) {
        window.add(batch); // open: its memory stays
        if (window.size() == 8) {
          for (Batch earlier : window) {
            train(earlier.tensor("distance"), earlier.tensor("delay"));
          }
          window.forEach(Batch::close);
          window.clear();
        }
      }
      window.forEach(Batch::close); // those that did not fill a window
    }
    // @end
  }
}
