package dev.penstock.options;

import dev.penstock.batch.DecimalForm;
import dev.penstock.batch.EpochUnit;
import dev.penstock.batch.NullPolicy;
import dev.penstock.batch.OutputFormat;
import dev.penstock.batch.PerColumn;
import dev.penstock.batch.StringEncoding;
import dev.penstock.internal.choice.Choices;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;

/// The form of the columns in a batch.
///
/// @param output tensors, arrays or lists
/// @param nulls how nulls are handled
/// @param timestamps what dates and timestamps count
/// @param decimals the form of decimals
/// @param strings how strings are encoded
/// @param features feature matrices: name to columns, in the order in which they were added
/// @param kept the columns that are delivered on their own also where a matrix has them
public record Columns(
    OutputFormat output,
    PerColumn<NullPolicy> nulls,
    PerColumn<EpochUnit> timestamps,
    PerColumn<DecimalForm> decimals,
    PerColumn<StringEncoding> strings,
    Map<String, List<String>> features,
    Set<String> kept) {
  /// Tensors, with [NullPolicy#nan()], and columns as they are stored.
  static final Columns DEFAULTS =
      new Columns(
          OutputFormat.TENSOR,
          PerColumn.of(NullPolicy.nan()),
          PerColumn.of(EpochUnit.STORED),
          PerColumn.of(DecimalForm.OBJECT),
          PerColumn.of(StringEncoding.list()),
          Map.of(),
          Set.of());

  /// Copies the feature matrices. Throws [IllegalArgumentException] if one has no columns, or has a
  /// column twice.
  public Columns {
    Objects.requireNonNull(output, "output must not be null.");
    Objects.requireNonNull(nulls, "nulls must not be null.");
    Objects.requireNonNull(timestamps, "timestamps must not be null.");
    Objects.requireNonNull(decimals, "decimals must not be null.");
    Objects.requireNonNull(strings, "strings must not be null.");
    Map<String, List<String>> copy = new LinkedHashMap<>();
    features.forEach((name, columns) -> copy.put(name, matrix(name, columns)));
    features = Collections.unmodifiableMap(copy);
    kept = Collections.unmodifiableSet(new LinkedHashSet<>(kept));
  }

  private static List<String> matrix(String name, List<String> columns) {
    if (columns.isEmpty()) {
      throw new IllegalArgumentException(
          "Feature matrix '" + name + "' needs at least one column.");
    }
    List<String> given = Choices.given("Feature matrix '" + name + "'", columns);
    if (given.stream().distinct().count() != given.size()) {
      throw new IllegalArgumentException(
          "Feature matrix '" + name + "' names a column twice: " + given + ".");
    }
    return given;
  }

  Columns withOutput(OutputFormat format) {
    return new Columns(format, nulls, timestamps, decimals, strings, features, kept);
  }

  Columns withNulls(PerColumn<NullPolicy> choice) {
    return new Columns(output, choice, timestamps, decimals, strings, features, kept);
  }

  Columns withTimestamps(PerColumn<EpochUnit> choice) {
    return new Columns(output, nulls, choice, decimals, strings, features, kept);
  }

  Columns withDecimals(PerColumn<DecimalForm> choice) {
    return new Columns(output, nulls, timestamps, choice, strings, features, kept);
  }

  Columns withStrings(PerColumn<StringEncoding> choice) {
    return new Columns(output, nulls, timestamps, decimals, choice, features, kept);
  }

  /// Adds a feature matrix.
  ///
  /// @throws IllegalArgumentException if it has no columns, has one twice, or the name is taken
  Columns withFeatures(String name, List<String> columns) {
    if (features.containsKey(name)) {
      throw new IllegalArgumentException("There is a feature matrix '" + name + "' already.");
    }
    Map<String, List<String>> changed = new LinkedHashMap<>(features);
    changed.put(name, columns);
    return new Columns(output, nulls, timestamps, decimals, strings, changed, kept);
  }

  Columns withKept(List<String> columns) {
    Set<String> changed = new LinkedHashSet<>(kept);
    changed.addAll(Choices.given("keepColumns", columns));
    return new Columns(output, nulls, timestamps, decimals, strings, features, changed);
  }
}
