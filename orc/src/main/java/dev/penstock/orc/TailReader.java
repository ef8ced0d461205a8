package dev.penstock.orc;

import dev.penstock.format.MalformedFileException;
import dev.penstock.format.RowGroup;
import dev.penstock.schema.DataType;
import dev.penstock.schema.Schema;
import dev.penstock.spi.format.ColumnNames;
import dev.penstock.spi.format.FilePlace;
import dev.penstock.spi.format.NativeCodec;
import dev.penstock.spi.storage.StorageFile;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import org.apache.orc.CompressionCodec;
import org.apache.orc.CompressionKind;
import org.apache.orc.OrcFile;
import org.apache.orc.OrcProto;
import org.apache.orc.TypeDescription;
import org.apache.orc.impl.BufferChunk;
import org.apache.orc.impl.InStream;
import org.apache.orc.impl.OrcCodecPool;
import org.apache.orc.impl.OrcTail;
import org.apache.orc.impl.ReaderImpl;
import org.apache.orc.protobuf.CodedInputStream;

/// Reads the tail of an ORC file: postscript, footer and the statistics of stripes.
///
/// Every length is checked against the file before memory is allocated, and the tree of types is
/// checked before ORC's own code walks it.
final class TailReader {
  /// How deep types may be nested.
  static final int DEPTH_MAX = 64;

  private static final int MAGIC_BYTES = 3;

  /// Most tails fit in this, so that one read is enough. A postscript has at most 255 bytes.
  private static final int TAIL_BYTES = 64 << 10;

  /// Hive's name for the column of a file whose rows are not structs.
  private static final String ONLY_COLUMN = "_col0";

  private final StorageFile file;
  private final FilePlace where;
  private final ByteBuffer tail;
  private final OrcProto.PostScript postscript;
  private final int postscriptBytes;

  private TailReader(
      StorageFile file, ByteBuffer tail, OrcProto.PostScript postscript, int postscriptBytes) {
    this.file = file;
    this.where = new FilePlace(file.location(), "file tail");
    this.tail = tail;
    this.postscript = postscript;
    this.postscriptBytes = postscriptBytes;
  }

  /// Reads the tail.
  ///
  /// @param isProleptic whether dates are Gregorian throughout, whatever the file says
  static OrcMetadata read(StorageFile file, boolean isProleptic) throws IOException {
    FilePlace where = new FilePlace(file.location(), "file tail");
    try {
      return open(file, where).metadata(isProleptic);
    } catch (IOException | RuntimeException | StackOverflowError | OutOfMemoryError e) {
      throw StoredBytes.explained(e, where, "its tail");
    }
  }

  private static TailReader open(StorageFile file, FilePlace where) throws IOException {
    long size = file.size();
    if (size <= MAGIC_BYTES) {
      throw where.fail(
          "Truncated ORC file: it has "
              + size
              + " bytes but needs at least a postscript. Write it anew, or leave it out.");
    }
    ByteBuffer end = ByteBuffer.wrap(StoredBytes.read(file, Math.max(0, size - TAIL_BYTES), size));
    int length = end.get(end.limit() - 1) & 0xff;
    if (length >= end.limit()) {
      throw where.fail(
          size - 1,
          "Truncated ORC file: its postscript needs %s bytes but the file has %s."
              .formatted(length, size - 1));
    }
    byte[] bytes = new byte[length];
    end.get(end.limit() - 1 - length, bytes);
    OrcProto.PostScript postscript = parsePostscript(bytes, where);
    long tailBytes = 1L + length;
    for (long part :
        new long[] {
          postscript.getFooterLength(),
          postscript.getMetadataLength(),
          postscript.getStripeStatisticsLength()
        }) {
      if (part < 0 || part > size - tailBytes || part > Integer.MAX_VALUE / 4) {
        throw where.fail(
            "Truncated ORC file: its tail needs %s more bytes but the file has %s."
                .formatted(part, size - tailBytes));
      }
      tailBytes += part;
    }
    long block = postscript.getCompressionBlockSize();
    if (postscript.hasCompressionBlockSize() && (block <= 0 || block >= 1 << 23)) {
      throw where.fail(
          ("Corrupt ORC file: its compression blocks have %s bytes but they must have [1,"
                  + " %s).")
              .formatted(block, 1 << 23));
    }
    ByteBuffer tail =
        tailBytes <= end.limit()
            ? end.slice(end.limit() - (int) tailBytes, (int) tailBytes)
            : ByteBuffer.wrap(StoredBytes.read(file, size - tailBytes, size));
    return new TailReader(file, tail, postscript, length);
  }

  private static OrcProto.PostScript parsePostscript(byte[] bytes, FilePlace where)
      throws MalformedFileException {
    OrcProto.PostScript postscript;
    try {
      postscript = OrcProto.PostScript.parseFrom(bytes);
    } catch (IOException e) {
      throw where.fail("Not an ORC file: there is no postscript at its end.", e);
    }
    // The first writers wrote the magic bytes only at the start, not here.
    if (postscript.hasMagic() && !postscript.getMagic().equals(OrcFile.MAGIC)) {
      throw where.fail(
          "Not an ORC file: its postscript has the magic '" + postscript.getMagic() + "'.");
    }
    if (postscript.getVersionCount() > 0 && postscript.getVersion(0) > 1) {
      throw where.fail(
          "Unsupported ORC version: the file is of version "
              + postscript.getVersionList()
              + " but only versions up to 1 are known. Write it anew.");
    }
    return postscript;
  }

  private OrcMetadata metadata(boolean isProleptic) throws IOException {
    long size = file.size();
    int footerEnd = tail.limit() - 1 - postscriptBytes;
    int footerBytes = (int) postscript.getFooterLength();
    int statisticsBytes = (int) postscript.getMetadataLength();
    OrcProto.Footer footer;
    List<OrcProto.StripeStatistics> statistics = List.of();
    CompressionKind kind = CompressionKind.valueOf(postscript.getCompression().name());
    if (kind == CompressionKind.SNAPPY) { // For zstd ORC has another decoder as well.
      NativeCodec.SNAPPY.require();
    }
    try (CompressionCodec codec = OrcCodecPool.getCodec(kind)) {
      InStream.StreamOptions options = new InStream.StreamOptions();
      if (codec != null) {
        options.withCodec(codec).withBufferSize(ReaderImpl.getCompressionBlockSize(postscript));
      }
      footer = OrcProto.Footer.parseFrom(stream(footerEnd - footerBytes, footerBytes, options));
      if (statisticsBytes > 0) {
        int from = footerEnd - footerBytes - statisticsBytes;
        statistics =
            OrcProto.Metadata.parseFrom(stream(from, statisticsBytes, options))
                .getStripeStatsList();
      }
    }
    if (footer.getTypesCount() == 0) {
      throw where.fail("Corrupt ORC file: its footer has no types.");
    }
    checkTypes(footer);
    if (isProleptic) {
      footer = footer.toBuilder().setCalendar(OrcProto.CalendarKind.PROLEPTIC_GREGORIAN).build();
    }
    List<OrcMetadata.Stripe> stripes = stripes(footer, size - tail.limit());
    List<RowGroup> rowGroups =
        footer.getStripesList().stream()
            .map(stripe -> new RowGroup(stripe.getNumberOfRows(), stripe.getDataLength()))
            .toList();
    OrcProto.FileTail fileTail =
        OrcProto.FileTail.newBuilder()
            .setFileLength(size + 2 * StreamEnds.ROOM_BYTES)
            .setPostscript(postscript)
            .setPostscriptLength(postscriptBytes)
            .setFooter(StreamEnds.withRoom(footer))
            .build();
    OrcTail orcTail = new OrcTail(fileTail, ByteBuffer.allocate(0));
    List<OrcColumn> columns = columns(orcTail.getSchema(), footer);
    return new OrcMetadata(
        Schema.of(columns.stream().map(OrcColumn::field).toList()),
        columns,
        rowGroups,
        stripes,
        orcTail,
        statistics.size() == stripes.size() ? statistics : List.of());
  }

  private CodedInputStream stream(int from, int length, InStream.StreamOptions options)
      throws IOException {
    return Protobuf.bounded(
        InStream.createCodedInputStream(
            InStream.create("tail", new BufferChunk(tail.duplicate(), 0), from, length, options)),
        length);
  }

  /// Checks that types form a tree in pre-order, of limited depth, so that walking it ends.
  private void checkTypes(OrcProto.Footer footer) throws MalformedFileException {
    int[] depths = new int[footer.getTypesCount()];
    int next = 1;
    for (int id = 0; id < depths.length; id++) {
      for (int child : footer.getTypes(id).getSubtypesList()) {
        if (child <= id || child >= depths.length || depths[child] != 0) {
          throw where.fail(
              ("Corrupt ORC file: type %s has the part %s but its parts must be new ones in"
                      + " [%s, %s).")
                  .formatted(id, child, id + 1, depths.length));
        }
        depths[child] = depths[id] + 1;
        next++;
        if (depths[child] > DEPTH_MAX) {
          throw where.fail(
              "Corrupt ORC file: its types are nested more than " + DEPTH_MAX + " deep.");
        }
      }
    }
    if (next != depths.length) {
      throw where.fail(
          "Corrupt ORC file: " + (depths.length - next) + " types are part of nothing.");
    }
  }

  /// @param dataEnd where the stripes must end
  private List<OrcMetadata.Stripe> stripes(OrcProto.Footer footer, long dataEnd)
      throws MalformedFileException {
    List<OrcMetadata.Stripe> stripes = new ArrayList<>();
    long end = 0;
    long rows = 0;
    for (OrcProto.StripeInformation stripe : footer.getStripesList()) {
      FilePlace here = new FilePlace(file.location(), "stripe " + stripes.size());
      long start = stripe.getOffset();
      long left = dataEnd - start;
      boolean fits = start >= end && left >= 0;
      for (long part :
          new long[] {stripe.getIndexLength(), stripe.getDataLength(), stripe.getFooterLength()}) {
        fits = fits && part >= 0 && part <= left;
        left -= part;
      }
      if (!fits || stripe.getFooterLength() > Integer.MAX_VALUE / 4) {
        throw here.fail(
            start < 0 ? -1 : start,
            ("Truncated ORC file: a stripe of %s, %s and %s bytes does not lie in bytes [%s,"
                    + " %s).")
                .formatted(
                    stripe.getIndexLength(),
                    stripe.getDataLength(),
                    stripe.getFooterLength(),
                    end,
                    dataEnd));
      }
      end = dataEnd - left;
      rows += stripe.getNumberOfRows();
      if (stripe.getNumberOfRows() < 0 || rows < 0 || rows > footer.getNumberOfRows()) {
        throw here.fail(
            "Corrupt ORC file: the stripes have %s rows but the footer says %s."
                .formatted(rows, footer.getNumberOfRows()));
      }
      stripes.add(
          new OrcMetadata.Stripe(
              start,
              stripe.getIndexLength(),
              stripe.getIndexLength() + stripe.getDataLength(),
              (int) stripe.getFooterLength()));
    }
    if (rows != footer.getNumberOfRows()) {
      throw where.fail(
          "Corrupt ORC file: the stripes have %s rows but the footer says %s."
              .formatted(rows, footer.getNumberOfRows()));
    }
    return List.copyOf(stripes);
  }

  private static List<OrcColumn> columns(TypeDescription root, OrcProto.Footer footer) {
    OrcColumn all =
        OrcColumn.of(ONLY_COLUMN, 0, root, id -> StatedStatistics.unitOfTimes(footer, id));
    boolean isStruct = root.getCategory() == TypeDescription.Category.STRUCT;
    List<OrcColumn> columns = isStruct ? all.children() : List.of(all);
    return ColumnNames.distinct(
        columns.stream()
            .map(column -> isEncrypted(column, footer) ? refused(column) : column)
            .toList(),
        column -> column.field().name(),
        OrcColumn::unreadable);
  }

  private static boolean isEncrypted(OrcColumn column, OrcProto.Footer footer) {
    return footer.getEncryption().getVariantsList().stream()
        .anyMatch(
            variant -> variant.getRoot() >= column.id() && variant.getRoot() <= column.lastId());
  }

  /// Without the key, ORC would return masked values instead of the true ones.
  private static OrcColumn refused(OrcColumn column) {
    return column.unreadable(new DataType.Unsupported("encrypted " + column.orc()));
  }
}
