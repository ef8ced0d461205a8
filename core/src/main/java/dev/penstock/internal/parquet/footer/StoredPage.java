package dev.penstock.internal.parquet.footer;

import static dev.penstock.internal.parquet.footer.StoredChunk.known;
import static dev.penstock.internal.parquet.footer.StoredChunk.require;

import java.util.Objects;
import org.apache.parquet.format.Encoding;
import org.apache.parquet.format.PageType;
import shaded.parquet.org.apache.thrift.TException;
import shaded.parquet.org.apache.thrift.transport.TTransportException;

/// The header of a page as it is stored: one object that is filled with page after page.
public final class StoredPage {
  // The fields of PageHeader,
  private static final int TYPE = 1 << 4 | CompactInput.I32;
  private static final int UNCOMPRESSED_SIZE = 2 << 4 | CompactInput.I32;
  private static final int COMPRESSED_SIZE = 3 << 4 | CompactInput.I32;
  private static final int CRC = 4 << 4 | CompactInput.I32;
  private static final int DATA = 5 << 4 | CompactInput.STRUCT;
  private static final int DICTIONARY = 7 << 4 | CompactInput.STRUCT;
  private static final int DATA_V2 = 8 << 4 | CompactInput.STRUCT;
  private static final int REQUIRED = 0b1110;

  // and of the structure that its type of page has.
  private static final int NOT_COMPRESSED = 7 << 4 | CompactInput.FALSE;
  private static final int IDS = 8;

  private PageType type = PageType.INDEX_PAGE;
  private int uncompressedBytes;
  private int compressedBytes;
  private boolean hasCrc;
  private int crc;

  private int form; // the field of that structure
  private int formSeen; // which of its numbers, as bits
  private final int[] numbers = new int[IDS];
  private boolean isCompressed;

  /// Reads the header at the start of `bytes` and returns how many of them it took. If it needs
  /// more, the error is a [TTransportException].
  public int read(byte[] bytes) throws TException {
    CompactInput input = new CompactInput(bytes, 0, bytes.length);
    try {
      read(input);
    } catch (IndexOutOfBoundsException _) {
      String found = "it has more than " + bytes.length + " bytes";
      throw new TTransportException(TTransportException.END_OF_FILE, found);
    }
    return input.position();
  }

  private void read(CompactInput input) throws TException {
    hasCrc = false;
    form = 0;
    int number = 0;
    int seen = 0;
    for (int field = input.field(0); field != 0; field = input.field(field)) {
      switch (field) {
        case TYPE -> number = (int) input.number();
        case UNCOMPRESSED_SIZE -> uncompressedBytes = (int) input.number();
        case COMPRESSED_SIZE -> compressedBytes = (int) input.number();
        case CRC -> {
          hasCrc = true;
          crc = (int) input.number();
        }
        case DATA, DICTIONARY, DATA_V2 -> readForm(input, field);
        default -> {
          input.skip(field);
          continue;
        }
      }
      seen |= 1 << (field >> 4);
    }
    require((seen & REQUIRED) == REQUIRED);
    type = known(PageType.findByValue(number));
    switch (type) {
      case DATA_PAGE -> check(DATA, 0b1_1110, 2, 4);
      case DICTIONARY_PAGE -> check(DICTIONARY, 0b110, 2, 2);
      case DATA_PAGE_V2 -> check(DATA_V2, 0b111_1110, 4, 4);
      case INDEX_PAGE -> {}
    }
  }

  private void readForm(CompactInput input, int structure) throws TException {
    form = structure;
    formSeen = 0;
    isCompressed = true;
    for (int field = input.field(0); field != 0; field = input.field(field)) {
      int id = field >> 4;
      if ((field & 0xf) == CompactInput.I32 && id > 0 && id < IDS) {
        numbers[id] = (int) input.number();
        formSeen |= 1 << id;
      } else {
        isCompressed &= field != NOT_COMPRESSED;
        input.skip(field);
      }
    }
  }

  private void check(int structure, int required, int firstEncoding, int lastEncoding)
      throws TException {
    require(form == structure && (formSeen & required) == required);
    for (int id = firstEncoding; id <= lastEncoding; id++) {
      known(Encoding.findByValue(numbers[id]));
    }
  }

  public PageType type() {
    return type;
  }

  public int uncompressedBytes() {
    return uncompressedBytes;
  }

  public int compressedBytes() {
    return compressedBytes;
  }

  public boolean hasCrc() {
    return hasCrc;
  }

  public int crc() {
    return crc;
  }

  // Of any page but an index:

  public int values() {
    return numbers[1];
  }

  public Encoding encoding() {
    return encoding(type == PageType.DATA_PAGE_V2 ? 4 : 2);
  }

  private Encoding encoding(int id) {
    return Objects.requireNonNull(Encoding.findByValue(numbers[id])); // it was checked
  }

  // Of a data page of version 1:

  public Encoding definitionLevels() {
    return encoding(3);
  }

  public Encoding repetitionLevels() {
    return encoding(4);
  }

  // Of a data page of version 2:

  public int rows() {
    return numbers[3];
  }

  public int definitionBytes() {
    return numbers[5];
  }

  public int repetitionBytes() {
    return numbers[6];
  }

  public boolean isCompressed() {
    return isCompressed;
  }
}
