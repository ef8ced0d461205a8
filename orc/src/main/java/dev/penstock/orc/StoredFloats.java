package dev.penstock.orc;

import dev.penstock.format.ColumnSlice;
import dev.penstock.format.ScratchBuffer;
import dev.penstock.format.ScratchMemory;
import dev.penstock.schema.DataType;
import dev.penstock.storage.StorageFile;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import org.apache.orc.CompressionKind;
import org.apache.orc.OrcProto;
import org.apache.orc.TypeDescription;
import org.apache.orc.impl.StreamName;

/// A column of floating-point numbers that lie in a stripe as they are in memory: not compressed
/// and none null. They are read piece by piece, and slices are parts of a piece; ORC's own decoder
/// takes ten times as long.
///
/// Where anything is different, or seems to be, the stripe is ORC's to decode.
final class StoredFloats {
  private static final int PIECE_BYTES = 1 << 20;

  private final StorageFile file;
  private final OrcColumn column;
  private final int width;
  private final ScratchBuffer piece;
  private MemorySegment values = MemorySegment.NULL;
  private long valuesStart; // the row of the stripe that the piece starts with
  private long valuesEnd;
  private long dataStart;
  private long rows;

  StoredFloats(StorageFile file, OrcColumn column, ScratchMemory memory) {
    this.file = file;
    this.column = column;
    this.width = column.type().byteWidth();
    this.piece = new ScratchBuffer(memory);
  }

  /// Returns whether a stripe of a file may have a column so.
  static boolean mayHave(OrcMetadata metadata, OrcColumn column) {
    return column.type() instanceof DataType.Floating
        && metadata.tail().getCompressionKind() == CompressionKind.NONE
        && metadata.tail().getSchema().getCategory() == TypeDescription.Category.STRUCT;
  }

  /// Goes to a stripe.
  ///
  /// @param start where it starts in the file
  /// @param footer its footer, checked
  /// @param stripeRows how many rows it has
  /// @return whether the column lies in it so; if not, nothing else may be called
  boolean open(long start, OrcProto.StripeFooter footer, long stripeRows) {
    valuesStart = 0;
    valuesEnd = 0;
    rows = stripeRows;
    boolean found = false;
    boolean nulls = footer.getEncryptionCount() > 0;
    long at = start;
    for (StreamName.Area area :
        new StreamName.Area[] {StreamName.Area.INDEX, StreamName.Area.DATA}) {
      for (OrcProto.Stream stream : footer.getStreamsList()) {
        if (StreamName.getArea(stream.getKind()) != area) {
          continue;
        }
        boolean isHere = stream.getColumn() == column.id();
        if (stream.getKind() == OrcProto.Stream.Kind.PRESENT) {
          nulls |= isHere || stream.getColumn() == 0;
        } else if (stream.getKind() == OrcProto.Stream.Kind.DATA && isHere) {
          found = !found && stream.getLength() / width >= rows;
          dataStart = at;
        }
        at += stream.getLength();
      }
    }
    return found && !nulls;
  }

  /// Reads rows.
  ///
  /// @param row the first of them, counted in the stripe
  /// @param count how many; all in the stripe
  ColumnSlice slice(long row, int count) throws IOException {
    if (row < valuesStart || row + count > valuesEnd) {
      long most = Math.max(count, PIECE_BYTES / width);
      valuesEnd = valuesStart; // so that nothing is taken for read if reading fails
      long end = Math.min(rows, row + most);
      values = piece.ensure(width * (end - row)).asSlice(0, width * (end - row));
      file.read(dataStart + width * row, values);
      valuesStart = row;
      valuesEnd = end;
    }
    long from = width * (row - valuesStart);
    return ColumnSlice.fixed(column.type(), count, 0, null, values.asSlice(from));
  }

  void release() {
    values = MemorySegment.NULL;
    valuesEnd = valuesStart;
    piece.release();
  }
}
