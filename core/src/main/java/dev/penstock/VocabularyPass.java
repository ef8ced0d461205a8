package dev.penstock;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import dev.penstock.batch.Batch;
import dev.penstock.batch.PerColumn;
import dev.penstock.batch.StringEncoding;
import dev.penstock.batch.Vocabulary;
import dev.penstock.internal.columns.ColumnForms;
import dev.penstock.internal.columns.NullHandling;
import dev.penstock.options.LoaderOptions;
import dev.penstock.schema.Schema;
import dev.penstock.split.Rank;
import dev.penstock.transform.ColumnBlock;
import dev.penstock.transform.Transform;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/// Builds the vocabularies that the user did not supply, in one pass over their columns and the
/// rows that the filter keeps.
///
/// With a transform, the pass uses the columns and rows that it makes in epoch 0.
///
/// A vocabulary is sorted, so it depends only on the set of texts, not on their order.
///
/// **Threads.** Any; the first caller makes the pass, others wait for it. [#close()] ends it.
final class VocabularyPass {
  private static final int BATCH_SIZE = 8192;

  private final StructuredDataset dataset;
  private final LoaderOptions options;
  private final Supplier<Schema> columns;
  private final ReentrantLock lock = new ReentrantLock();

  @GuardedBy("lock")
  private @Nullable ColumnForms found;

  private volatile @Nullable DataLoader running;
  private volatile boolean closed;

  /// Makes the pass. Nothing is read yet.
  ///
  /// @param columns gives the columns of the batches
  VocabularyPass(StructuredDataset dataset, LoaderOptions options, Supplier<Schema> columns) {
    this.dataset = dataset;
    this.options = options;
    this.columns = columns;
  }

  /// Returns the forms of all columns, with no vocabulary missing.
  ///
  /// @throws java.io.UncheckedIOException if the files cannot be read
  /// @throws IllegalStateException if the loader is closed before the pass is done
  ColumnForms forms() {
    DataLoader pass = running;
    if (pass != null) {
      pass.requireOutside(); // a transform inside the pass would wait for itself
    }
    lock.lock();
    try {
      if (found == null) {
        found = find();
      }
      return found;
    } finally {
      lock.unlock();
    }
  }

  private ColumnForms find() {
    ColumnForms forms = ColumnForms.of(options.columns());
    forms.requireFits(columns.get(), options.columns().features());
    Map<String, Texts> texts = new LinkedHashMap<>();
    forms
        .strings()
        .byName()
        .forEach((column, encoding) -> {
          if (encoding instanceof StringEncoding.Codes codes && codes.vocabulary().isEmpty()) {
            texts.put(column, texts(column));
          }
        });
    if (texts.isEmpty()) {
      return forms;
    }
    read(texts);
    PerColumn<StringEncoding> complete = forms.strings();
    for (Map.Entry<String, Texts> each : texts.entrySet()) {
      if (complete.forColumn(each.getKey()) instanceof StringEncoding.Codes codes) {
        Optional<Vocabulary> vocabulary = Optional.of(each.getValue().vocabulary());
        complete =
            complete.with(each.getKey(), new StringEncoding.Codes(vocabulary, codes.unknown()));
      }
    }
    return forms.withStrings(complete);
  }

  private Texts texts(String column) {
    Texts texts = new Texts(column, Texts.VALUES_MAX, Texts.CHARS_MAX);
    NullHandling.replacementText(options.columns().nulls().forColumn(column)).ifPresent(texts::add);
    return texts;
  }

  private void read(Map<String, Texts> texts) {
    for (StructuredDataset source : dataset.sources()) {
      read(source, texts);
    }
  }

  private void read(StructuredDataset source, Map<String, Texts> texts) {
    try (DataLoader loader = loader(source, texts.keySet())) {
      running = loader;
      requireOpen(); // close() may have run before `running` was set
      for (Batch batch : loader) {
        try (batch) {
          texts.forEach((column, found) -> batch.strings(column).forEach(found::add));
        }
      }
      requireOpen(); // a closed loader ends its batches without an error
    } finally {
      running = null;
    }
  }

  /// Returns a loader whose batches have the given columns, read or made by the transform.
  private DataLoader loader(StructuredDataset source, Set<String> names) {
    LoaderOptions pass =
        LoaderOptions.defaults()
            .rank(Rank.SINGLE)
            .batchSize(BATCH_SIZE)
            .workers(options.reading().workers());
    if (options.transformation().function().isEmpty()) {
      return DataLoader.of(source.columns(List.copyOf(names)), pass);
    }
    Transform only =
        options.transformation().function().get().andThen((block, _) -> only(block, names));
    return DataLoader.of(
        source,
        options.transformation().rows() == 0
            ? pass.transformRowGroups(only)
            : pass.transform(only, options.transformation().rows()));
  }

  private static ColumnBlock only(ColumnBlock block, Set<String> names) {
    return block.without(
        block.schema().names().stream()
            .filter(name -> !names.contains(name))
            .toArray(String[]::new));
  }

  private void requireOpen() {
    if (closed) {
      throw new IllegalStateException("Cannot find a vocabulary: the loader is closed.");
    }
  }

  /// Ends a running pass and prevents later ones.
  void close() {
    closed = true;
    DataLoader loader = running;
    if (loader != null) {
      loader.close();
    }
  }

  /// The different texts of a column, limited to what fits into memory.
  static final class Texts {
    static final int VALUES_MAX = 1 << 24;
    static final long CHARS_MAX = 1 << 28;

    private final String column;
    private final int valuesMax;
    private final long charsMax;
    private final Set<String> texts = new HashSet<>();
    private long chars;

    Texts(String column, int valuesMax, long charsMax) {
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
        throw new IllegalArgumentException(
            "Cannot find a vocabulary of column '"
                + column
                + "': it has more than "
                + (chars > charsMax ? charsMax + " chars of" : valuesMax)
                + " different texts. Use StringEncoding.hash(buckets), or give a vocabulary.");
      }
    }

    Vocabulary vocabulary() {
      return Vocabulary.sorted(texts);
    }
  }
}
