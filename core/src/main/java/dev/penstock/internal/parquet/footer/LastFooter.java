package dev.penstock.internal.parquet.footer;

import java.util.Arrays;
import org.jspecify.annotations.Nullable;
import shaded.parquet.org.apache.thrift.TException;

/// Converts what most footers of a table have in common: if it is that of the footer before, both
/// share it.
///
/// **Threads.** Any.
public final class LastFooter {
  private final Int96Form int96;
  private volatile @Nullable StoredSchema schema;
  private volatile CreatedBy writer = CreatedBy.of("");

  public LastFooter(Int96Form int96) {
    this.int96 = int96;
  }

  @Nullable StoredSchema schema() {
    return schema;
  }

  /// Converts the schema whose bytes are `[start, end)`.
  StoredSchema schema(byte[] bytes, int start, int end) throws TException, PageException {
    StoredSchema known = schema;
    if (known == null
        || !Arrays.equals(known.bytes(), 0, known.bytes().length, bytes, start, end)) {
      known = StoredSchema.of(Arrays.copyOfRange(bytes, start, end), int96);
      schema = known;
    }
    return known;
  }

  CreatedBy writer(String text) {
    CreatedBy known = writer;
    if (!known.text().equals(text)) {
      known = CreatedBy.of(text);
      writer = known;
    }
    return known;
  }
}
