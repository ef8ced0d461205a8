package dev.penstock.internal.passes;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import dev.penstock.batch.Vocabulary;
import java.util.HashSet;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// The different texts of a column, as many as fit into memory.
///
/// **Threads.** Safe for any.
final class Texts {
  private static final int VALUES_MAX = 1 << 24;
  private static final long CHARS_MAX = 1 << 28;

  private final String column;
  private final int valuesMax;
  private final long charsMax;

  @GuardedBy("this")
  private Set<String> texts = new HashSet<>();

  @GuardedBy("this")
  private long chars;

  /// There are too many of them.
  static final class TooManyException extends IllegalArgumentException {
    private static final long serialVersionUID = 1;

    private TooManyException(String message) {
      super(message);
    }
  }

  Texts(String column) {
    this(column, VALUES_MAX, CHARS_MAX);
  }

  Texts(String column, int valuesMax, long charsMax) {
    this.column = column;
    this.valuesMax = valuesMax;
    this.charsMax = charsMax;
  }

  synchronized void add(@Nullable String text) {
    if (text == null || !isNew(text)) {
      return;
    }
    chars += text.length();
    if (texts.size() > valuesMax || chars > charsMax) {
      throw new TooManyException(
          "Cannot find a vocabulary of column '"
              + column
              + "': it has more than "
              + (chars > charsMax ? charsMax + " chars of" : valuesMax)
              + " different texts. Use StringEncoding.hash(buckets), or give a vocabulary.");
    }
  }

  /// Where they fill the heap, others of this process get it back at once.
  @GuardedBy("this")
  private boolean isNew(String text) {
    try {
      return texts.add(text);
    } catch (OutOfMemoryError e) {
      texts = new HashSet<>();
      throw e;
    }
  }

  /// Returns them sorted, so that only the set of texts decides.
  synchronized Vocabulary vocabulary() {
    return Vocabulary.sorted(texts);
  }
}
