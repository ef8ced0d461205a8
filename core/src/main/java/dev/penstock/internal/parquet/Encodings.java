package dev.penstock.internal.parquet;

import dev.penstock.internal.parquet.footer.PageException;
import java.util.List;
import java.util.stream.Stream;
import org.apache.parquet.format.Encoding;
import org.apache.parquet.format.Type;

/// The encodings that the pages of a column can have.
final class Encodings {
  private Encodings() {}

  /// Returns the encodings that data pages of a physical type can be read in.
  static List<Encoding> readable(Type physical) {
    return switch (physical) {
      case BOOLEAN -> List.of(Encoding.PLAIN, Encoding.RLE);
      case INT32, INT64 -> with(Encoding.DELTA_BINARY_PACKED, Encoding.BYTE_STREAM_SPLIT);
      case FLOAT, DOUBLE -> with(Encoding.BYTE_STREAM_SPLIT);
      case FIXED_LEN_BYTE_ARRAY -> with(Encoding.DELTA_BYTE_ARRAY, Encoding.BYTE_STREAM_SPLIT);
      case BYTE_ARRAY -> with(Encoding.DELTA_LENGTH_BYTE_ARRAY, Encoding.DELTA_BYTE_ARRAY);
      case INT96 -> with();
    };
  }

  private static List<Encoding> with(Encoding... more) {
    Stream<Encoding> all =
        Stream.of(Encoding.PLAIN, Encoding.PLAIN_DICTIONARY, Encoding.RLE_DICTIONARY);
    return Stream.concat(all, Stream.of(more)).toList();
  }

  static boolean isDictionary(Encoding encoding) {
    return encoding == Encoding.PLAIN_DICTIONARY || encoding == Encoding.RLE_DICTIONARY;
  }

  static PageException unsupported(Encoding encoding, Type physical) {
    return PageException.of(
        "Unsupported Parquet encoding: the column's data is encoded as %s but %s can be read as"
            + " %s. Write it with one of these.",
        encoding, physical, readable(physical));
  }

  static PageException unsupportedDictionary(Encoding encoding) {
    return new PageException(
        "Unsupported Parquet encoding: the column's dictionary is encoded as "
            + encoding
            + " but can be read as [PLAIN, PLAIN_DICTIONARY]. Write it with one of these.");
  }
}
