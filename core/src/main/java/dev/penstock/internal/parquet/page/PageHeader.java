package dev.penstock.internal.parquet.page;

import dev.penstock.internal.parquet.footer.PageException;
import dev.penstock.internal.parquet.footer.StoredPage;
import org.apache.parquet.format.Encoding;
import org.apache.parquet.format.PageType;

/// The header of a page, checked for contradictions.
///
/// @param valueCount how many values it has, including nulls and one for each list that is null or
///   empty
/// @param rowCount its rows, none of which continues in the next page, or -1 if that is not known
public record PageHeader(
    PageType type, Encoding encoding, int valueCount, int rowCount, Body body, LevelForm levels) {
  /// The bytes after a header.
  ///
  /// @param compressedBytes how many bytes there are in the file
  /// @param compressed whether they are compressed, except for the levels of version 2
  /// @param crc the checksum of the bytes in the file
  public record Body(
      int compressedBytes, int uncompressedBytes, boolean compressed, boolean hasCrc, int crc) {
    private Body uncompressed() {
      return new Body(compressedBytes, uncompressedBytes, false, hasCrc, crc);
    }
  }

  /// How the levels of a page are stored.
  ///
  /// @param repetitionBytes the bytes of the repetition levels in version 2; else 0
  /// @param bytes the bytes of both kinds together in version 2; else 0
  public record LevelForm(
      Encoding repetition, Encoding definition, int repetitionBytes, int bytes) {
    private static final LevelForm RUNS = new LevelForm(Encoding.RLE, Encoding.RLE, 0, 0);
  }

  /// Checks a header and extracts the needed fields. Version 2 overrides whether the body is
  /// compressed. `left` is the most values that the column has from this page on.
  static PageHeader of(StoredPage stated, Body body, int maxRepetition, long left)
      throws PageException {
    return switch (stated.type()) {
      case DICTIONARY_PAGE -> ofDictionary(stated, body);
      case DATA_PAGE -> ofData(stated, body, maxRepetition, left);
      case DATA_PAGE_V2 -> ofDataV2(stated, body, maxRepetition, left);
      case INDEX_PAGE ->
          new PageHeader(PageType.INDEX_PAGE, Encoding.PLAIN, 0, -1, body, LevelForm.RUNS);
    };
  }

  private static PageHeader ofDictionary(StoredPage page, Body body) throws PageException {
    int values = page.values();
    if (values < 0) {
      throw new PageException("Corrupt Parquet page: its dictionary claims " + values + " values.");
    }
    return new PageHeader(page.type(), page.encoding(), values, -1, body, LevelForm.RUNS);
  }

  private static PageHeader ofData(StoredPage page, Body body, int maxRepetition, long left)
      throws PageException {
    Encoding definition = page.definitionLevels();
    Encoding repetition = maxRepetition > 0 ? page.repetitionLevels() : Encoding.RLE;
    boolean runs = definition == Encoding.RLE && repetition == Encoding.RLE;
    LevelForm levels = runs ? LevelForm.RUNS : new LevelForm(repetition, definition, 0, 0);
    checkValues(page.values(), left);
    return new PageHeader(page.type(), page.encoding(), page.values(), -1, body, levels);
  }

  private static PageHeader ofDataV2(StoredPage page, Body body, int maxRepetition, long left)
      throws PageException {
    boolean compressed = body.compressed && page.isCompressed();
    Body own = compressed == body.compressed ? body : body.uncompressed();
    LevelForm levels = levels(page, own);
    if (!compressed && body.compressedBytes != body.uncompressedBytes) {
      throw PageException.of(
          "Corrupt Parquet page: it is not compressed but has %s bytes and claims %s.",
          body.compressedBytes, body.uncompressedBytes);
    }
    checkValues(page.values(), left);
    int rows = maxRepetition == 0 ? -1 : rows(page.rows(), page.values());
    return new PageHeader(page.type(), page.encoding(), page.values(), rows, own, levels);
  }

  private static LevelForm levels(StoredPage page, Body body) throws PageException {
    int repetitionBytes = page.repetitionBytes();
    int definitionBytes = page.definitionBytes();
    long bytes = (long) repetitionBytes + definitionBytes;
    if (repetitionBytes < 0
        || definitionBytes < 0
        || bytes > Math.min(body.compressedBytes, body.uncompressedBytes)) {
      throw PageException.of(
          "Corrupt Parquet page: its levels claim %s of its %s bytes.",
          bytes, body.compressedBytes);
    }
    return bytes == 0
        ? LevelForm.RUNS
        : new LevelForm(Encoding.RLE, Encoding.RLE, repetitionBytes, (int) bytes);
  }

  /// Returns the rows of a page of version 2, which should end with a row. Arrow C++ before version
  /// 12 did not ensure that, and stated the number of values as the number of rows.
  private static int rows(int rows, int values) throws PageException {
    if (rows == values) {
      return -1;
    }
    if (rows < 1 || rows > values) {
      throw new PageException(
          "Corrupt Parquet page: it claims " + rows + " rows of " + values + " values.");
    }
    return rows;
  }

  private static void checkValues(int values, long left) throws PageException {
    if (values < 0 || values > left) {
      throw PageException.of(
          "Corrupt Parquet page: it claims %s values but the column has %s left.", values, left);
    }
  }

  /// Returns whether the page may have rows.
  boolean isData() {
    return type == PageType.DATA_PAGE || type == PageType.DATA_PAGE_V2;
  }
}
