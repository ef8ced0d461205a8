package dev.penstock.internal.passes;

import dev.penstock.advice.Advice;
import dev.penstock.advice.Remedy;
import dev.penstock.batch.Vocabulary;
import java.util.HashSet;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// The different texts of a column, as many as fit into memory.
final class VocabularyTexts {
  private static final int VALUES_MAX = 1 << 24;
  private static final long CHARS_MAX = 1 << 28;

  private final String column;
  private final int valuesMax;
  private final long charsMax;
  private final Set<String> texts = new HashSet<>();
  private long chars;

  VocabularyTexts(String column) {
    this(column, VALUES_MAX, CHARS_MAX);
  }

  VocabularyTexts(String column, int valuesMax, long charsMax) {
    this.column = column;
    this.valuesMax = valuesMax;
    this.charsMax = charsMax;
  }

  void add(@Nullable String text) {
    if (text == null || !texts.add(text)) {
      return;
    }
    chars += text.length();
    if (texts.size() > valuesMax || chars > charsMax) {
      throw Advice.argumentError(
          "Cannot find a vocabulary of column '%s': it has more than %s different"
              + " texts. Use %s, or give a vocabulary.",
          column,
          chars > charsMax ? charsMax + " chars of" : valuesMax,
          Remedy.of("strings", "COLUMN=hash:BUCKETS", "StringEncoding.hash(buckets)"));
    }
  }

  /// Returns them sorted, so that only the set of texts decides.
  Vocabulary vocabulary() {
    return Vocabulary.sorted(texts);
  }
}
