package dev.penstock.score;

import dev.penstock.advice.Advice;
import dev.penstock.advice.Remedy;
import dev.penstock.model.ModelInput;
import dev.penstock.schema.DataType;
import dev.penstock.schema.Field;
import dev.penstock.schema.Schema;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;

/// Which columns of a table feed which input of a model. In this order:
///
/// 1. those that the user gives;
/// 2. a column of the input's name, if it has the input's width;
/// 3. the columns that the model was trained on, if it names them;
/// 4. for a single input left that wants n numbers a row: the columns of numbers and booleans that
///    nothing else takes, in the table's order, if there are exactly n.
///
/// Whatever else is an error, which shows inputs, columns and the option that says it.
final class InputColumns {
  private static final int SHOWN = 80; // letters of columns' names

  private final List<ModelInput> inputs;
  private final Schema table;
  private final Map<String, List<String>> chosen = new LinkedHashMap<>();

  private InputColumns(List<ModelInput> inputs, Schema table) {
    this.inputs = inputs;
    this.table = table;
  }

  /// Returns the columns of each input, in the order of the inputs.
  ///
  /// @param inputs those of the model; empty if it does not say them, which takes what is given
  /// @param given what the user says, by input; a column may be a dotted path
  /// @param notInputs columns that are not taken unless an input has their name or the user or the
  ///   model names them: keys, and those to carry along
  /// @throws IllegalArgumentException if an input has no columns, or what is given does not fit
  static Map<String, List<String>> of(
      List<ModelInput> inputs,
      Schema table,
      Map<String, List<String>> given,
      Set<String> notInputs) {
    InputColumns columns = new InputColumns(inputs, table);
    given.forEach((name, each) -> each.forEach(column -> columns.requireThere(name, column)));
    if (inputs.isEmpty()) {
      return given;
    }
    given.forEach(columns::give);
    for (ModelInput input : columns.left()) {
      columns.byName(input);
    }
    for (ModelInput input : columns.left()) {
      columns.byTraining(input);
    }
    columns.byNumber(notInputs);
    Map<String, List<String>> ordered = new LinkedHashMap<>();
    inputs.forEach(input -> ordered.put(input.name(), columns.chosen.get(input.name())));
    return ordered;
  }

  /// Returns what was chosen, a line for each input: `x <- distance, hour (2 columns)`.
  static String text(Map<String, List<String>> chosen) {
    return chosen.entrySet().stream()
        .map(input -> input.getKey() + " <- " + text(input.getValue()))
        .collect(Collectors.joining("\n"));
  }

  private static String text(List<String> columns) {
    if (columns.size() == 1) {
      return columns.getFirst();
    }
    StringBuilder names = new StringBuilder(columns.getFirst());
    int shown = 1;
    while (shown < columns.size() && names.length() + columns.get(shown).length() < SHOWN) {
      names.append(", ").append(columns.get(shown++));
    }
    return names + (shown < columns.size() ? ", ..." : "") + " (" + columns.size() + " columns)";
  }

  private List<ModelInput> left() {
    return inputs.stream().filter(input -> !chosen.containsKey(input.name())).toList();
  }

  private void requireThere(String name, String column) {
    if (table.find(column).isEmpty()) {
      throw Advice.argumentError(
          "Cannot feed input '%s' of the model: there is no column '%s'. Columns are %s.",
          name, column, table.summary());
    }
  }

  private void give(String name, List<String> columns) {
    ModelInput input =
        inputs.stream()
            .filter(each -> each.name().equals(name))
            .findFirst()
            .orElseThrow(() ->
                Advice.argumentError(
                    "Cannot feed input '%s': the model has no such input. Its inputs are %s.",
                    name, inputs));
    if (columns.isEmpty() || !(fits(input, columns.size()) || isList(columns))) {
      throw Advice.argumentError(
          "Cannot feed input %s of the model (-1: any extent): %s columns are given, %s, but it"
              + " takes %s.",
          input, columns.size(), columns, takes(input));
    }
    chosen.put(name, List.copyOf(columns));
  }

  /// Whether it is one column, whose values are whole rows of an input.
  private boolean isList(List<String> columns) {
    return columns.size() == 1
        && table.find(columns.getFirst()).orElseThrow().type() instanceof DataType.List;
  }

  private static boolean fits(ModelInput input, int columns) {
    return input.extents().equals(List.of(-1L, -1L))
        || width(input).filter(width -> width == columns).isPresent();
  }

  /// How many numbers a row an input takes; empty if that is open, or a row is not a line of them.
  private static Optional<Long> width(ModelInput input) {
    return switch (input.extents().size()) {
      case 1 -> Optional.of(1L);
      case 2 -> Optional.of(input.extents().get(1)).filter(width -> width >= 0);
      default -> Optional.empty();
    };
  }

  private static String takes(ModelInput input) {
    return input.extents().size() > 2
        ? "a column of lists"
        : width(input).map(String::valueOf).orElse("any number");
  }

  private void byName(ModelInput input) {
    List<String> name = List.of(input.name());
    if (table.find(input.name()).isPresent() && (fits(input, 1) || isList(name))) {
      chosen.put(input.name(), name);
    }
  }

  private void byTraining(ModelInput input) {
    if (input.columns().isEmpty()) {
      return;
    }
    List<String> missing =
        input.columns().stream().filter(column -> table.find(column).isEmpty()).toList();
    if (!missing.isEmpty()) {
      throw Advice.argumentError(
          "Cannot feed input '%s' of the model: it was trained on the columns %s, but there is no"
              + " %s. Columns are %s. To feed it others, in the order of training, use %s.",
          input.name(), input.columns(), missing, table.summary(), option(input));
    }
    chosen.put(input.name(), input.columns());
  }

  private void byNumber(Set<String> notInputs) {
    List<ModelInput> left = left();
    if (left.isEmpty()) {
      return;
    }
    Set<String> taken = new HashSet<>(notInputs);
    chosen.values().forEach(taken::addAll);
    List<String> numbers =
        table.fields().stream()
            .filter(field -> isNumber(field) && !taken.contains(field.name()))
            .map(Field::name)
            .toList();
    ModelInput input = left.getFirst();
    boolean one = left.size() == 1;
    if (one && width(input).filter(width -> width == numbers.size()).isPresent()) {
      chosen.put(input.name(), numbers);
      return;
    }
    throw Advice.argumentError(
        "Cannot tell which columns feed %s of the model (-1: any extent): %s. Columns are %s. Name"
            + " the columns by %s.",
        one ? "input " + input : "inputs " + left,
        one
            ? "there is no column of that name, and %s columns of numbers are left, %s, but it takes %s"
                .formatted(numbers.size(), numbers, takes(input))
            : "there are no columns of these names",
        table.summary(),
        option(input));
  }

  private static boolean isNumber(Field field) {
    return switch (field.type()) {
      case DataType.Int _, DataType.Floating _, DataType.Decimal _, DataType.Bool _ -> true;
      default -> false;
    };
  }

  private static Remedy option(ModelInput input) {
    return Remedy.of(
        "input", input.name() + "=COLUMNS", "input(\"" + input.name() + "\", columns)");
  }
}
