package dev.penstock.internal.parquet.footer;

import dev.penstock.internal.choice.Sentence;
import java.util.Map;
import java.util.function.IntFunction;
import org.apache.parquet.format.CompressionCodec;
import org.apache.parquet.format.Encoding;
import org.apache.parquet.format.PageType;
import org.apache.parquet.format.Type;
import org.jspecify.annotations.Nullable;
import shaded.parquet.org.apache.thrift.TException;
import shaded.parquet.org.apache.thrift.protocol.TField;
import shaded.parquet.org.apache.thrift.protocol.TList;
import shaded.parquet.org.apache.thrift.protocol.TProtocol;
import shaded.parquet.org.apache.thrift.protocol.TProtocolUtil;

/// Distinguishes a structure of a newer format from a corrupt one.
///
/// Thrift drops a number that its enumerations do not have, and then reports the field as missing.
/// This walks through a structure that could not be parsed and names the first such number.
public final class NewerFormat {
  /// The meaning of a number, and which numbers are known.
  private record Word(String name, IntFunction<@Nullable Object> known) {}

  // Thrift's types of fields.
  private static final byte STOP = 0;
  private static final byte I32 = 8;
  private static final byte STRUCT = 12;
  private static final byte LIST = 15;

  /// The format numbers from 0 and is nowhere near this; larger numbers are corrupt.
  private static final int NUMBERS = 100;

  private static final Word TYPE = new Word("type", Type::findByValue);
  private static final Word CODEC = new Word("codec", CompressionCodec::findByValue);
  private static final Word ENCODING = new Word("encoding", Encoding::findByValue);
  private static final Word PAGE = new Word("page type", PageType::findByValue);

  /// By the ids of the fields from the structure inwards.
  private static final Map<String, Word> FOOTER =
      Map.of(
          ".2.1", TYPE, // of a schema element
          ".4.1.3.1", TYPE, // of a column chunk
          ".4.1.3.4", CODEC,
          ".4.1.3.13.1", PAGE, // encoding_stats
          ".4.1.3.13.2", ENCODING);

  private static final Map<String, Word> PAGE_HEADER =
      Map.of(
          ".1", PAGE,
          ".5.2", ENCODING, // data page
          ".5.3", ENCODING,
          ".5.4", ENCODING,
          ".7.2", ENCODING, // dictionary page
          ".8.4", ENCODING); // data page of version 2

  private final TProtocol protocol;
  private final Map<String, Word> words;
  private @Nullable String sentence;

  private NewerFormat(TProtocol protocol, Map<String, Word> words) {
    this.protocol = protocol;
    this.words = words;
  }

  /// Returns a sentence about what is unknown, or null.
  static @Nullable String inFooter(byte[] bytes, int start, int end) {
    return new NewerFormat(Thrift.protocol(bytes, start, end), FOOTER).find();
  }

  /// Returns a sentence about what is unknown in a page header, or null.
  public static @Nullable String inPageHeader(byte[] bytes) {
    return new NewerFormat(Thrift.protocol(bytes, 0, bytes.length), PAGE_HEADER).find();
  }

  private @Nullable String find() {
    try {
      struct("");
    } catch (TException | RuntimeException _) {
      return null; // It is corrupt or entirely unknown.
    }
    return sentence;
  }

  private void struct(String path) throws TException {
    protocol.readStructBegin();
    for (TField field = protocol.readFieldBegin();
        field.type != STOP;
        field = protocol.readFieldBegin()) {
      value(field.type, path + "." + field.id);
      protocol.readFieldEnd();
    }
    protocol.readStructEnd();
  }

  private void value(byte type, String path) throws TException {
    if (type == STRUCT) {
      struct(path);
    } else if (type == LIST) {
      TList list = protocol.readListBegin();
      for (int i = 0; i < list.size; i++) {
        value(list.elemType, path);
      }
      protocol.readListEnd();
    } else if (type == I32) {
      check(protocol.readI32(), words.get(path));
    } else {
      TProtocolUtil.skip(protocol, type);
    }
  }

  private void check(int value, @Nullable Word word) {
    boolean possible = value >= 0 && value < NUMBERS;
    if (sentence == null && word != null && possible && word.known.apply(value) == null) {
      sentence =
          Sentence.of(
              "Unsupported Parquet %s: the file has number %s, which is newer than this reader or"
                  + " corrupt. Write it with an older %s.",
              word.name, value, word.name);
    }
  }
}
