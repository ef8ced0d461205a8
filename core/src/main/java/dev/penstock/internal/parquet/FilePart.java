package dev.penstock.internal.parquet;

import dev.penstock.advice.Advice;
import dev.penstock.advice.Remedy;
import dev.penstock.format.MalformedFileException;
import dev.penstock.internal.choice.Sentence;
import dev.penstock.internal.parquet.footer.FooterStatistics.Extent;
import dev.penstock.internal.parquet.footer.Thrift;
import dev.penstock.internal.parquet.footer.Where;
import dev.penstock.spi.storage.StorageFile;
import java.io.IOException;
import org.jspecify.annotations.Nullable;

/// A part of a file other than pages and footer: a column index, an offset index, a bloom filter.
///
/// @param what its name in errors
/// @param instead how to read the file without it, as a clause
record FilePart(StorageFile file, String what, Advice instead, Where where) {
  /// A longer index would take more time to read than it saves, and possibly more memory than
  /// allowed.
  static final long INDEX_BYTES_MAX = 32 << 20;

  private static final Advice WITHOUT_INDEX =
      Advice.of(
          "or read it without its page index, by %s", Remedy.formatOption("page-index", "ignore"));

  static FilePart ofPageIndex(StorageFile file, String what, Where where) {
    return new FilePart(file, what, WITHOUT_INDEX, where);
  }

  /// Reads a part of a page index; null if the file has none, or more than [#INDEX_BYTES_MAX].
  byte @Nullable [] readIndex(Extent place) throws IOException {
    if (!place.isSet() || place.length() == 0) {
      return null;
    }
    check(place.offset(), place.length());
    return place.length() > INDEX_BYTES_MAX ? null : read(place.offset(), (int) place.length());
  }

  /// Reads bytes after checking that the file has them.
  byte[] read(long offset, int length) throws IOException {
    check(offset, length);
    return file.bytes(offset, length);
  }

  void check(long offset, long length) throws MalformedFileException {
    if (offset < 0 || length < 0 || offset > file.size() - length) {
      throw corrupt(
          offset,
          Sentence.of(
              "it is stated to have %s bytes at %s but the file has %s",
              length, offset, file.size()));
    }
  }

  MalformedFileException corrupt(long offset, String found) {
    return where.fail(offset, sentence(found), null);
  }

  MalformedFileException unparsable(long offset, Exception cause) {
    return where.fail(
        offset, sentence("it cannot be parsed (" + Thrift.reason(cause) + ")"), cause);
  }

  private Advice sentence(String found) {
    return Advice.of("Corrupt Parquet %s: %s. Write the file again, %s.", what, found, instead);
  }
}
