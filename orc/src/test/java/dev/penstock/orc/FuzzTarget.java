package dev.penstock.orc;

import static org.assertj.core.api.Assertions.assertThat;

import dev.penstock.testing.BytesFile;
import dev.penstock.testing.Fuzzed;
import dev.penstock.testing.Fuzzing;
import dev.penstock.testing.TestMemory;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Random;
import org.apache.orc.OrcProto;
import org.apache.orc.impl.BufferChunk;
import org.apache.orc.impl.InStream;
import org.apache.orc.impl.IntegerReader;
import org.apache.orc.impl.RunLengthByteReader;
import org.apache.orc.impl.RunLengthIntegerReader;
import org.apache.orc.impl.RunLengthIntegerReaderV2;

/// ORC as a whole and in parts.
enum FuzzTarget implements Fuzzed {
  /// Runs of integers: a byte that says version and sign, then the stream. What is decoded is what
  /// orc-core decodes.
  INTEGERS,
  /// Runs of bytes and of bits, in the same way.
  BYTES,
  /// A column of any type, whose streams are made up: the same in slices of any size.
  COLUMN,
  /// A whole file.
  FILE;

  private static final int VALUES_MAX = 4000;
  private static final OrcProto.Type.Kind[] KINDS = {
    OrcProto.Type.Kind.INT,
    OrcProto.Type.Kind.LONG,
    OrcProto.Type.Kind.SHORT,
    OrcProto.Type.Kind.BYTE,
    OrcProto.Type.Kind.BOOLEAN,
    OrcProto.Type.Kind.DATE,
    OrcProto.Type.Kind.TIMESTAMP_INSTANT,
    OrcProto.Type.Kind.STRING,
    OrcProto.Type.Kind.BINARY,
    OrcProto.Type.Kind.FLOAT,
    OrcProto.Type.Kind.DOUBLE
  };
  private static final OrcProto.Stream.Kind[] STREAMS = {
    OrcProto.Stream.Kind.PRESENT,
    OrcProto.Stream.Kind.DATA,
    OrcProto.Stream.Kind.LENGTH,
    OrcProto.Stream.Kind.SECONDARY,
    OrcProto.Stream.Kind.DICTIONARY_DATA
  };

  @Override
  public void run(byte[] data) throws IOException {
    switch (this) {
      case INTEGERS -> {
        byte[] stream = Arrays.copyOfRange(data, Math.min(1, data.length), data.length);
        integers(at(data, 0), stream, ours(stream));
      }
      case BYTES -> bytes(data, ours(data), ours(data));
      case COLUMN -> Fuzzing.file(OrcFiles.FORMAT, column(data));
      case FILE -> Fuzzing.file(OrcFiles.FORMAT, data);
    }
  }

  private static int at(byte[] data, int index) {
    return index < data.length ? data[index] & 0xff : 0;
  }

  private static InStream theirs(byte[] stream) {
    BufferChunk chunk = new BufferChunk(ByteBuffer.wrap(stream), 0);
    return InStream.create("fuzz", chunk, 0, stream.length);
  }

  private static StoredStream ours(byte[] stream) {
    return new StoredStream(new BytesFile(stream), 1, null, new TestMemory(1 << 20));
  }

  private static void integers(int kind, byte[] stream, StoredStream ours) throws IOException {
    boolean second = (kind & 1) != 0;
    boolean signed = (kind & 2) != 0;
    IntegerRuns runs = new IntegerRuns(ours, signed);
    runs.open(new StripeStreams.Place(0, stream.length), second);
    IntegerReader reader =
        second
            ? new RunLengthIntegerReaderV2(theirs(stream), signed, false)
            : new RunLengthIntegerReader(theirs(stream), signed);
    long[] value = new long[1];
    for (int i = 0; i < VALUES_MAX; i++) {
      try {
        runs.read(value, 1);
      } catch (IOException e) {
        return;
      }
      long theirs;
      try {
        theirs = reader.next();
      } catch (IOException | RuntimeException e) {
        return; // Lists of no patches, for example, are beyond it.
      }
      assertThat(value[0]).as("value %s", i).isEqualTo(theirs);
    }
  }

  private static void bytes(byte[] data, StoredStream ours, StoredStream oursAsBits)
      throws IOException {
    ByteRuns runs = new ByteRuns(ours);
    runs.open(new StripeStreams.Place(0, data.length));
    RunLengthByteReader reader = new RunLengthByteReader(theirs(data));
    byte[] value = new byte[1];
    BitRuns bits = new BitRuns(oursAsBits);
    bits.open(new StripeStreams.Place(0, data.length));
    long[] words = new long[BitRuns.wordsFor(8)];
    for (int i = 0; i < VALUES_MAX; i++) {
      try {
        runs.read(value, 1);
      } catch (IOException e) {
        return;
      }
      byte theirs;
      try {
        theirs = reader.next();
      } catch (IOException e) {
        return; // It reads runs as a whole.
      }
      assertThat(value[0]).as("value %s", i).isEqualTo(theirs);
      int some = i % 8;
      int set = bits.read(words, some);
      long first = words[0];
      set += bits.read(words, 8 - some);
      assertThat(Integer.reverse((int) (first | words[0] << some)) >>> 24)
          .isEqualTo(value[0] & 0xff);
      assertThat(set).isEqualTo(Integer.bitCount(value[0] & 0xff));
    }
  }

  /// Makes a file of a column: bytes that say its type, encoding, rows and the size of the
  /// dictionary, then streams, each a byte of its kind and one of its length before it.
  private static byte[] column(byte[] data) throws IOException {
    OrcProto.Type.Kind kind = KINDS[at(data, 0) % KINDS.length];
    OrcProto.ColumnEncoding.Kind[] encodings = OrcProto.ColumnEncoding.Kind.values();
    int rows = at(data, 2) | (at(data, 3) & 15) << 8;
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    out.write("ORC".getBytes(StandardCharsets.US_ASCII));
    OrcProto.StripeFooter.Builder stripe = OrcProto.StripeFooter.newBuilder();
    for (int at = 5; at < data.length; ) {
      int length = Math.min(at(data, at + 1), Math.max(0, data.length - at - 2));
      OrcProto.Stream.Kind stream = STREAMS[at(data, at) % STREAMS.length];
      stripe.addStreams(
          OrcProto.Stream.newBuilder().setColumn(1).setKind(stream).setLength(length));
      out.write(data, Math.min(data.length, at + 2), length);
      at += 2 + length;
    }
    int dataBytes = out.size() - 3;
    stripe.addColumns(
        OrcProto.ColumnEncoding.newBuilder().setKind(OrcProto.ColumnEncoding.Kind.DIRECT));
    stripe.addColumns(
        OrcProto.ColumnEncoding.newBuilder()
            .setKind(encodings[at(data, 1) % encodings.length])
            .setDictionarySize(at(data, 4)));
    byte[] stripeFooter = stripe.build().toByteArray();
    out.write(stripeFooter);
    byte[] footer =
        OrcProto.Footer.newBuilder()
            .setNumberOfRows(rows)
            .addTypes(
                OrcProto.Type.newBuilder()
                    .setKind(OrcProto.Type.Kind.STRUCT)
                    .addSubtypes(1)
                    .addFieldNames("c"))
            .addTypes(OrcProto.Type.newBuilder().setKind(kind))
            .addStripes(
                OrcProto.StripeInformation.newBuilder()
                    .setOffset(3)
                    .setIndexLength(0)
                    .setDataLength(dataBytes)
                    .setFooterLength(stripeFooter.length)
                    .setNumberOfRows(rows))
            .build()
            .toByteArray();
    out.write(footer);
    byte[] postscript =
        OrcProto.PostScript.newBuilder()
            .setFooterLength(footer.length)
            .setCompression(OrcProto.CompressionKind.NONE)
            .setMagic("ORC")
            .build()
            .toByteArray();
    out.write(postscript);
    out.write(postscript.length);
    return out.toByteArray();
  }

  @Override
  public byte[] seed(Random random, Path folder) throws IOException {
    return FuzzSeeds.of(this, folder, random);
  }
}
