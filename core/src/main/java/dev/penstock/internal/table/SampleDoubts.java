package dev.penstock.internal.table;

import dev.penstock.advice.Advice;
import dev.penstock.advice.Remedy;
import dev.penstock.internal.choice.Sentence;
import dev.penstock.schema.DataType;
import dev.penstock.schema.Field;
import dev.penstock.schema.SchemaFrom;
import dev.penstock.spi.format.TextMetadata;
import dev.penstock.storage.Location;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/// What users should know of the samples of text files: where what is read may not be what they
/// mean.
public final class SampleDoubts {
  private static final int SHOWN = 5;

  private final SchemaRules rules;
  private final Optional<List<String>> columns;

  /// By the path of a column or of a part of it; "" for what is about whole files.
  private final Map<String, Doubt> doubts = new LinkedHashMap<>();

  private final Map<String, Values> values = new HashMap<>();

  /// A sentence, the first file that it is about, and how many others have a doubt of that column.
  private record Doubt(Advice sentence, Location file, int more) {
    Advice text() {
      return Advice.of("%s [%s%s]", sentence, file, more == 0 ? "" : ", and " + more + " more");
    }
  }

  /// What values are in the first file that has some.
  private record Values(String kind, Location file) {}

  private SampleDoubts(SchemaRules rules, Optional<List<String>> columns) {
    this.rules = rules;
    this.columns = columns;
  }

  /// Returns the sentences; none about columns whose types the user has stated.
  ///
  /// @param columns those that are read; empty for all
  public static List<Advice> of(Table table, SchemaRules rules, Optional<List<String>> columns) {
    if (rules.given().isPresent()) {
      return List.of();
    }
    SampleDoubts all = new SampleDoubts(rules, columns);
    List<TableFile> files = table.files();
    for (TableFile file : rules.from() == SchemaFrom.FIRST ? files.subList(0, 1) : files) {
      Optional<TextMetadata> text = file.footer().as(TextMetadata.class);
      text.map(TextMetadata::doubts)
          .orElse(Map.of())
          .forEach((path, sentence) -> all.add(path, sentence, file.location()));
      text.flatMap(TextMetadata::sampled)
          .ifPresent(sample -> all.compare("", sample.fields(), file.location()));
    }
    return all.shown();
  }

  private List<Advice> shown() {
    List<Advice> shown = new ArrayList<>();
    doubts.values().stream().limit(SHOWN).forEach(doubt -> shown.add(doubt.text()));
    if (doubts.size() > SHOWN) {
      shown.add(Advice.of("And %s more columns like that.", doubts.size() - SHOWN));
    }
    return shown;
  }

  private void add(String path, Advice sentence, Location file) {
    if (rules.isUncast(path) && isRead(path)) {
      doubts.merge(
          path,
          new Doubt(sentence, file, 0),
          (first, _) -> new Doubt(first.sentence, first.file, first.more + 1));
    }
  }

  private boolean isRead(String path) {
    return path.isEmpty()
        || columns.isEmpty()
        || columns.get().stream()
            .map(Names::dotted)
            .anyMatch(column -> Table.isWithin(path, column) || Table.isWithin(column, path));
  }

  /// Compares the values of a file with those of the files before it.
  private void compare(String prefix, List<Field> fields, Location file) {
    for (Field field : fields) {
      String path = prefix + rules.names().key(field.name());
      String kind = kind(field.type());
      Values first = kind.isEmpty() ? null : values.putIfAbsent(path, new Values(kind, file));
      if (first != null && !first.kind.equals(kind)) {
        add(
            path,
            Advice.of(
                "%s State what is meant with %s.",
                Sentence.of(
                    "Column '%s' is read as text: its values are %s in %s, but not here.",
                    path, first.kind, first.file),
                Remedy.CAST),
            file);
      } else if (field.type() instanceof DataType.Struct(List<Field> parts)) {
        compare(path + ".", parts, file);
      }
    }
  }

  /// Returns what values of a type are, in the plural; empty if the sample has none.
  private static String kind(DataType type) {
    return switch (type) {
      case DataType.Null _ -> "";
      case DataType.Int _, DataType.Floating _ -> "numbers";
      case DataType.Bool _ -> "true or false";
      case DataType.List _ -> "arrays";
      case DataType.Struct _ -> "objects";
      default -> "texts";
    };
  }
}
