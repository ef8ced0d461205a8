package dev.penstock.internal.parquet.footer;

import dev.penstock.format.RowGroup;
import dev.penstock.internal.choice.Sentence;
import dev.penstock.internal.parquet.footer.ParquetMetadata.Column;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;
import shaded.parquet.org.apache.thrift.TException;

/// Walks once over the row groups of a footer: checks them, and finds where the chunks begin.
final class RowGroupWalk {
  private static final int COLUMNS = 1 << 4 | CompactInput.LIST;
  private static final int TOTAL_BYTE_SIZE = 2 << 4 | CompactInput.I64;
  private static final int NUM_ROWS = 3 << 4 | CompactInput.I64;
  private static final int REQUIRED = 0b1110;

  private final byte[] bytes;
  private final int start;
  private final CompactInput input;
  private final StoredChunk chunk;
  private final StoredSchema schema;
  private final List<LeafColumn> leaves;
  private final long footerStart;

  private final List<RowGroup> rowGroups = new ArrayList<>();
  private int[] starts = new int[16];
  private long rows;
  private boolean isRefused; // any chunk

  // Of the row group that is read:
  private final boolean[] refused; // by leaf, like the next
  private final long[] values;
  private @Nullable String wrong; // what is wrong with its chunks, as a clause

  /// Begins where the elements of the list begin.
  ///
  /// @param footerStart where the footer starts in the file, the latest possible end of chunks
  RowGroupWalk(byte[] bytes, int start, int end, StoredSchema schema, long footerStart) {
    this.bytes = bytes;
    this.start = start;
    this.input = new CompactInput(bytes, start, end);
    this.chunk = new StoredChunk(input);
    this.schema = schema;
    this.leaves = schema.leaves();
    this.footerStart = footerStart;
    this.refused = new boolean[leaves.size()];
    this.values = new long[leaves.size()];
  }

  /// Reads the list and returns where it ends.
  int read() throws TException, PageException {
    int count = input.list();
    for (int i = 0; i < count; i++) {
      readGroup(i);
    }
    return input.position();
  }

  private void readGroup(int index) throws TException, PageException {
    long groupRows = 0;
    long groupBytes = 0;
    int seen = 0;
    for (int field = input.field(0); field != 0; field = input.field(field)) {
      switch (field) {
        case COLUMNS -> readChunks(index);
        case TOTAL_BYTE_SIZE -> groupBytes = input.number();
        case NUM_ROWS -> groupRows = input.number();
        default -> {
          input.skip(field);
          continue;
        }
      }
      seen |= 1 << (field >> 4);
    }
    StoredChunk.require((seen & REQUIRED) == REQUIRED);
    if (groupRows < 0 || rows + groupRows < 0) {
      throw corrupt("row group " + index + " has " + groupRows + " rows");
    }
    if (wrong != null) {
      throw corrupt(wrong);
    }
    for (Column leaf : schema.readable()) {
      checkValues(index, groupRows, leaf);
    }
    rows += groupRows;
    rowGroups.add(new RowGroup(groupRows, Math.max(0, groupBytes)));
  }

  private void readChunks(int group) throws TException {
    wrong = null;
    int count = input.list();
    if (count != leaves.size()) {
      wrong =
          Sentence.of(
              "row group %s has %s column chunks but the schema has %s leaf columns",
              group, count, leaves.size());
    }
    int first = group * leaves.size();
    for (int leaf = 0; leaf < count; leaf++) {
      int position = input.position();
      chunk.read();
      if (wrong == null) {
        keep(first + leaf, position - start);
        check(group, leaf);
      }
    }
  }

  private void keep(int number, int place) {
    if (number == starts.length) {
      starts = Arrays.copyOf(starts, 2 * number);
    }
    starts[number] = place;
  }

  private void check(int group, int leaf) throws TException {
    int end = input.position();
    boolean isOther = chunk.misfit(leaves.get(leaf), schema.paths()[leaf]) != null;
    input.moveTo(end);
    values[leaf] = chunk.values();
    refused[leaf] = isOther || !chunk.isReadable();
    isRefused |= refused[leaf];
    long offset = chunk.offset();
    long length = chunk.bytes();
    if (!isOther && (offset < 0 || length < 0 || offset > footerStart - length)) {
      wrong =
          Sentence.of(
              "column '%s' of row group %s has %s bytes at %s but the footer starts at %s",
              leaves.get(leaf).path(), group, length, offset, footerStart);
    }
  }

  private void checkValues(int group, long groupRows, Column column) throws PageException {
    int leaf = column.leaf();
    boolean isOne = column.repetition() == 0;
    if (!refused[leaf] && (isOne ? values[leaf] != groupRows : values[leaf] < groupRows)) {
      throw corrupt(
          Sentence.of(
              "row group %s has %s rows but %s values in column '%s'",
              group, groupRows, values[leaf], leaves.get(leaf).path()));
    }
  }

  static PageException corrupt(String found) {
    return new PageException("Corrupt Parquet file: " + found + ".");
  }

  long rows() {
    return rows;
  }

  List<RowGroup> rowGroups() {
    return List.copyOf(rowGroups);
  }

  /// Returns the chunks that were read.
  StoredChunks chunks() {
    return new StoredChunks(
        Arrays.copyOfRange(bytes, start, input.position()),
        Arrays.copyOf(starts, rowGroups.size() * leaves.size()),
        leaves,
        isRefused);
  }
}
