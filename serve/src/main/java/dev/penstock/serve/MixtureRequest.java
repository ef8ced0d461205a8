package dev.penstock.serve;

import static dev.penstock.serve.ClientOptions.SOURCES;
import static dev.penstock.serve.ClientOptions.SOURCE_COLUMN;
import static dev.penstock.serve.ClientOptions.STOP;
import static dev.penstock.serve.ClientOptions.WEIGHTS_FROM;

import dev.penstock.Mixture;
import dev.penstock.StructuredDataset;
import dev.penstock.internal.document.JsonFields;
import java.util.ArrayList;
import java.util.List;
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
    mixture = STOP.set(mixture, fields, Mixture::stop);
    mixture = SOURCE_COLUMN.set(mixture, fields, Mixture::sourceColumn);
    mixture = WEIGHTS_FROM.set(mixture, fields, MixtureRequest::weightsFrom);
    fields.requireNoOthers();
    return mixture;
  }

  private static Mixture weightsFrom(Mixture mixture, List<?> rows) {
    Mixture changed = mixture;
    for (Object each : rows) {
      JsonFields later = new JsonFields(Request.SUBJECT, "the weights from a row", each);
      long row = later.whole("row", 1, Long.MAX_VALUE);
      changed = changed.weightsFrom(row, weights(later));
      later.requireNoOthers();
    }
    return changed;
  }

  private List<Mixture.Source> sources(JsonFields fields) {
    List<Mixture.Source> sources = new ArrayList<>();
    for (Object each : SOURCES.of(fields)) {
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
