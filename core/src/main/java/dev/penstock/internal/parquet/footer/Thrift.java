package dev.penstock.internal.parquet.footer;

import java.util.ArrayList;
import java.util.List;
import org.apache.parquet.format.SchemaElement;
import org.jspecify.annotations.Nullable;
import shaded.parquet.org.apache.thrift.TBase;
import shaded.parquet.org.apache.thrift.TConfiguration;
import shaded.parquet.org.apache.thrift.TException;
import shaded.parquet.org.apache.thrift.protocol.TCompactProtocol;
import shaded.parquet.org.apache.thrift.protocol.TField;
import shaded.parquet.org.apache.thrift.protocol.TList;
import shaded.parquet.org.apache.thrift.protocol.TMap;
import shaded.parquet.org.apache.thrift.protocol.TProtocol;
import shaded.parquet.org.apache.thrift.protocol.TProtocolException;
import shaded.parquet.org.apache.thrift.protocol.TSet;
import shaded.parquet.org.apache.thrift.protocol.TStruct;
import shaded.parquet.org.apache.thrift.transport.TTransport;
import shaded.parquet.org.apache.thrift.transport.TTransportException;

/// Reads Parquet's thrift structures from bytes that may be hostile.
///
/// Thrift itself trusts the sizes of lists and recurses as deep as the bytes say. Here a string or
/// list can never claim more than the bytes that are left, and depth is limited to [#DEPTH_MAX].
public final class Thrift {
  private static final int DEPTH_MAX = 64;

  private Thrift() {}

  /// Reads the list of a schema's elements.
  static List<SchemaElement> schema(byte[] bytes) throws TException {
    Protocol protocol = new Protocol(new Input(bytes, 0, bytes.length));
    List<SchemaElement> elements = new ArrayList<>();
    for (int i = protocol.readListBegin().size; i > 0; i--) {
      SchemaElement element = new SchemaElement();
      element.read(protocol);
      elements.add(element);
    }
    return elements;
  }

  /// Reads a structure that begins at the start of `bytes` and returns how many bytes it took.
  public static int read(TBase<?, ?> structure, byte[] bytes) throws TException {
    Input input = new Input(bytes, 0, bytes.length);
    structure.read(new Protocol(input));
    return input.position;
  }

  /// Returns a protocol that reads bytes `[start, end)` field by field, with the same checks.
  public static TProtocol protocol(byte[] bytes, int start, int end) {
    return new Protocol(new Input(bytes, start, end));
  }

  /// Returns a field that the format requires but thrift declares optional.
  public static <T> T required(@Nullable T value) throws PageException {
    if (value == null) {
      throw new PageException("Corrupt Parquet file: a structure lacks a field that it must have.");
    }
    return value;
  }

  /// Returns thrift's error message without the half-read structure that it appends.
  public static String reason(Exception error) {
    String message = String.valueOf(error.getMessage());
    int struct = message.indexOf("! Struct:");
    return struct < 0 ? message : message.substring(0, struct);
  }

  /// A union without a field comes from a newer format. Generated readers skip a union's unknown
  /// field but fail if it has no field. So an empty structure is passed on with an unknown, empty
  /// field, which makes no difference to structures that are not unions.
  private static final class Protocol extends TCompactProtocol {
    // Thrift's numbers for the end of a structure and for a structure.
    private static final TField STOP = new TField("", (byte) 0, (short) 0);
    private static final byte STRUCT = 12;
    private static final TField UNKNOWN = new TField("", STRUCT, (short) -1);

    private final Input input;
    private int depth;
    private boolean isFirstField;
    private int stopsOwed; // for the unknown field, and for the structure that contains it

    Protocol(Input input) {
      super(input);
      this.input = input;
    }

    private void enter(int size) throws TException {
      if (size > input.remaining()) {
        throw new TTransportException(
            TTransportException.END_OF_FILE,
            "a list of " + size + " elements in " + input.remaining() + " remaining bytes");
      }
      if (++depth > DEPTH_MAX) {
        throw new TProtocolException(
            TProtocolException.DEPTH_LIMIT, "structures nested more than " + DEPTH_MAX + " deep");
      }
    }

    @Override
    public TStruct readStructBegin() throws TException {
      enter(0);
      isFirstField = true;
      return super.readStructBegin();
    }

    @Override
    public TField readFieldBegin() throws TException {
      if (stopsOwed > 0) {
        stopsOwed--;
        isFirstField = false;
        return STOP;
      }
      TField field = super.readFieldBegin();
      boolean isEmpty = isFirstField && field.type == STOP.type;
      isFirstField = false;
      if (!isEmpty) {
        return field;
      }
      stopsOwed = 2;
      return UNKNOWN;
    }

    @Override
    public void readStructEnd() throws TException {
      depth--;
      super.readStructEnd();
    }

    @Override
    public TList readListBegin() throws TException {
      TList list = super.readListBegin();
      enter(list.size);
      return list;
    }

    @Override
    public void readListEnd() throws TException {
      depth--;
      super.readListEnd();
    }

    @Override
    public TSet readSetBegin() throws TException {
      return new TSet(readListBegin());
    }

    @Override
    public void readSetEnd() throws TException {
      depth--;
      super.readSetEnd();
    }

    @Override
    public TMap readMapBegin() throws TException {
      TMap map = super.readMapBegin();
      enter(map.size);
      return map;
    }

    @Override
    public void readMapEnd() throws TException {
      depth--;
      super.readMapEnd();
    }
  }

  private static final class Input extends TTransport {
    private final byte[] bytes;
    private final int end;
    private int position;

    Input(byte[] bytes, int start, int end) {
      this.bytes = bytes;
      this.position = start;
      this.end = end;
    }

    @Override
    public int read(byte[] target, int offset, int length) throws TTransportException {
      checkReadBytesAvailable(length);
      System.arraycopy(bytes, position, target, offset, length);
      position += length;
      return length;
    }

    private long remaining() {
      return (long) end - position;
    }

    @Override
    public void checkReadBytesAvailable(long length) throws TTransportException {
      if (length < 0 || length > remaining()) {
        throw new TTransportException(
            TTransportException.END_OF_FILE,
            length + " bytes are needed but " + remaining() + " are left");
      }
    }

    @Override
    public TConfiguration getConfiguration() {
      return TConfiguration.DEFAULT;
    }

    @Override
    public void updateKnownMessageSize(long size) {}

    @Override
    public boolean isOpen() {
      return true;
    }

    @Override
    public void open() {}

    @Override
    public void close() {}

    @Override
    public void write(byte[] source, int offset, int length) {
      throw new UnsupportedOperationException("This transport is for reading.");
    }

    @Override
    public byte[] getBuffer() {
      return bytes;
    }

    @Override
    public int getBufferPosition() {
      return position;
    }

    @Override
    public int getBytesRemainingInBuffer() {
      return end - position;
    }

    @Override
    public void consumeBuffer(int length) {
      position += length;
    }
  }
}
