package dev.penstock.serve;

import dev.penstock.Mixture;
import dev.penstock.Mixture.Stop;
import dev.penstock.StructuredDataset;
import dev.penstock.internal.document.JsonFields;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.Function;

/// Datasets that a client wants mixed.
///
/// @param datasets reads the dataset of a source
record MixtureRequest(Function<JsonFields, StructuredDataset> datasets) {
  /// Reads a mixture. For balanced classes this reads the classes from the files.
  Mixture read(JsonFields fields) {
    if (fields.has("balance") && fields.has("sources")) {
      throw new IllegalArgumentException(
          "Cannot mix sources and balance classes at once: give sources, or balance.");
    }
    Mixture mixture =
        fields.has("balance")
            ? balanced(Request.nested(fields, "balance"))
            : Mixture.of(sources(fields));
    if (fields.has("stop")) {
      mixture =
          mixture.stop(
              Request.choice(
                  fields,
                  "stop",
                  Map.of("first", Stop.FIRST, "all", Stop.ALL, "repeat", Stop.REPEAT)));
    }
    mixture = Request.set(mixture, fields, "sourceColumn", Mixture::sourceColumn);
    for (Object each : fields.has("weightsFrom") ? fields.list("weightsFrom") : List.of()) {
      JsonFields later = new JsonFields(Request.SUBJECT, "the weights from a row", each);
      long row = later.whole("row", 1, Long.MAX_VALUE);
      mixture = mixture.weightsFrom(row, weights(later));
      later.requireNoOthers();
    }
    fields.requireNoOthers();
    return mixture;
  }

  private List<Mixture.Source> sources(JsonFields fields) {
    List<Mixture.Source> sources = new ArrayList<>();
    for (Object each : fields.list("sources")) {
      JsonFields source = new JsonFields(Request.SUBJECT, "a source of the mixture", each);
      double weight = source.number("weight");
      sources.add(new Mixture.Source(datasets.apply(Request.nested(source, "dataset")), weight));
      source.requireNoOthers();
    }
    return sources;
  }

  private Mixture balanced(JsonFields fields) {
    String column = fields.text("column");
    StructuredDataset dataset = datasets.apply(Request.nested(fields, "dataset"));
    fields.requireNoOthers();
    return Mixture.balanced(dataset, column);
  }

  private static double[] weights(JsonFields fields) {
    return fields.numbers("weights").stream().mapToDouble(Double::doubleValue).toArray();
  }
}
