package dev.penstock.internal.passes;

import dev.penstock.batch.PerColumn;
import dev.penstock.batch.StringEncoding;
import dev.penstock.batch.Vocabulary;
import dev.penstock.internal.columns.ColumnForms;
import dev.penstock.internal.columns.NullHandling;
import dev.penstock.internal.decode.BlockTransform;
import dev.penstock.internal.decode.RowSteps;
import dev.penstock.internal.plan.Source;
import dev.penstock.schema.Field;
import dev.penstock.schema.Schema;
import dev.penstock.transform.ColumnBlock;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Supplier;

/// Finds the vocabularies that the user did not give, by one pass over their columns and the rows
/// that the filter keeps; with a transform, over what it makes of them in epoch 0.
final class VocabularyPass {
  private VocabularyPass() {}

  static ColumnForms complete(
      PassReader reader,
      ColumnForms forms,
      Supplier<List<Source>> sources,
      Supplier<RowSteps> steps) {
    Map<String, VocabularyTexts> found = new LinkedHashMap<>();
    forms
        .strings()
        .byName()
        .forEach((column, encoding) -> {
          if (encoding instanceof StringEncoding.Codes codes && codes.vocabulary().isEmpty()) {
            found.put(column, texts(column, forms));
          }
        });
    if (found.isEmpty()) {
      return forms;
    }
    read(reader, sources.get(), steps.get(), found);
    PerColumn<StringEncoding> complete = forms.strings();
    for (Map.Entry<String, VocabularyTexts> each : found.entrySet()) {
      if (complete.forColumn(each.getKey()) instanceof StringEncoding.Codes codes) {
        Optional<Vocabulary> vocabulary = Optional.of(each.getValue().vocabulary());
        complete =
            complete.with(each.getKey(), new StringEncoding.Codes(vocabulary, codes.unknown()));
      }
    }
    return forms.withStrings(complete);
  }

  private static VocabularyTexts texts(String column, ColumnForms forms) {
    VocabularyTexts texts = new VocabularyTexts(column);
    NullHandling.replacementText(forms.nulls().forColumn(column)).ifPresent(texts::add);
    return texts;
  }

  private static void read(
      PassReader reader, List<Source> sources, RowSteps steps, Map<String, VocabularyTexts> found) {
    BlockTransform made = steps.transform();
    BlockTransform columns = made == null ? read(steps.sources().getFirst(), found) : made;
    RowSteps noting = steps.noting(columns, (block, _) -> note(reader, block, found));
    reader.read("find a vocabulary", PassReader.rows(sources), noting, List.of());
  }

  private static BlockTransform read(RowSteps.Source source, Map<String, VocabularyTexts> found) {
    List<Field> fields = new ArrayList<>();
    found.keySet().forEach(column -> fields.add(source.table().find(column).orElseThrow()));
    return BlockTransform.none(Schema.of(fields));
  }

  /// Texts are made by workers, and kept by the thread that waits for the pass.
  private static void note(
      PassReader reader, ColumnBlock block, Map<String, VocabularyTexts> found) {
    found.forEach((column, texts) -> {
      String[] all = block.strings(column);
      reader.hand(() -> {
        for (String text : all) {
          texts.add(text);
        }
      });
    });
  }
}
