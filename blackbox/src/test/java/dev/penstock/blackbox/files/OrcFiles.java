package dev.penstock.blackbox.files;

import dev.penstock.schema.DataType;
import dev.penstock.schema.DataType.TimeUnit;
import dev.penstock.schema.Field;
import dev.penstock.schema.Schema;
import dev.penstock.tck.Values;
import java.io.IOException;
import java.math.BigDecimal;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.RawLocalFileSystem;
import org.apache.orc.CompressionKind;
import org.apache.orc.OrcFile;
import org.apache.orc.TypeDescription;
import org.apache.orc.Writer;
import org.apache.orc.storage.common.type.HiveDecimal;
import org.apache.orc.storage.ql.exec.vector.BytesColumnVector;
import org.apache.orc.storage.ql.exec.vector.ColumnVector;
import org.apache.orc.storage.ql.exec.vector.DecimalColumnVector;
import org.apache.orc.storage.ql.exec.vector.DoubleColumnVector;
import org.apache.orc.storage.ql.exec.vector.ListColumnVector;
import org.apache.orc.storage.ql.exec.vector.LongColumnVector;
import org.apache.orc.storage.ql.exec.vector.MapColumnVector;
import org.apache.orc.storage.ql.exec.vector.StructColumnVector;
import org.apache.orc.storage.ql.exec.vector.TimestampColumnVector;
import org.apache.orc.storage.ql.exec.vector.VectorizedRowBatch;

/// ORC files written by ORC's own writer: a stripe for each row group that has rows.
public final class OrcFiles implements TableWriter {
  private static final CompressionKind[] CODECS = {
    CompressionKind.NONE, CompressionKind.ZLIB, CompressionKind.SNAPPY, CompressionKind.ZSTD
  };

  @Override
  public String extension() {
    return ".orc";
  }

  @Override
  public boolean holds(DataType type) {
    return switch (type) {
      case DataType.Int(int _, boolean signed) -> signed;
      case DataType.Floating(int bits) -> bits > 16;
      case DataType.Timestamp(TimeUnit unit, boolean _) -> unit == TimeUnit.NANOS;
      case DataType.Time _, DataType.FixedBinary _, DataType.Uuid _ -> false;
      default -> true;
    };
  }

  /// ORC does not say what is never null.
  @Override
  public Schema read(Schema schema) {
    return Schema.of(schema.fields().stream().map(OrcFiles::nullable).toList());
  }

  private static Field nullable(Field field) {
    return new Field(field.name(), nullable(field.type()), true);
  }

  private static DataType nullable(DataType type) {
    return switch (type) {
      case DataType.List(DataType element, boolean _) -> new DataType.List(nullable(element), true);
      case DataType.Map(DataType key, DataType value, boolean _) ->
          new DataType.Map(nullable(key), nullable(value), true);
      case DataType.Struct(List<Field> fields) ->
          new DataType.Struct(fields.stream().map(OrcFiles::nullable).toList());
      default -> type;
    };
  }

  @Override
  public void write(Path path, Schema schema, List<List<List<Object>>> groups, Random layout)
      throws IOException {
    TypeDescription type = type(new DataType.Struct(schema.fields()));
    Configuration none = new Configuration(false);
    RawLocalFileSystem local = new RawLocalFileSystem();
    local.initialize(URI.create("file:///"), none);
    try (Writer writer =
        OrcFile.createWriter(
            new org.apache.hadoop.fs.Path(path.toUri()),
            OrcFile.writerOptions(none)
                .setSchema(type)
                .fileSystem(local)
                .overwrite(true)
                .useUTCTimestamp(true)
                .setProlepticGregorian(true)
                .compress(CODECS[layout.nextInt(CODECS.length)])
                .rowIndexStride(layout.nextInt(3) == 0 ? 0 : 1000))) {
      VectorizedRowBatch batch = type.createRowBatch(1000);
      for (List<List<Object>> group : groups) {
        for (List<Object> row : group) {
          for (int c = 0; c < row.size(); c++) {
            set(batch.cols[c], batch.size, schema.fields().get(c).type(), row.get(c));
          }
          batch.size++;
          if (batch.size == batch.getMaxSize()) {
            writer.addRowBatch(batch);
            batch.reset();
          }
        }
        if (!group.isEmpty()) {
          writer.addRowBatch(batch);
          batch.reset();
          writer.writeIntermediateFooter(); // ends the stripe
        }
      }
    }
  }

  private static TypeDescription type(DataType type) {
    return switch (type) {
      case DataType.Bool _ -> TypeDescription.createBoolean();
      case DataType.Int(int bits, boolean _) ->
          switch (bits) {
            case 8 -> TypeDescription.createByte();
            case 16 -> TypeDescription.createShort();
            case 32 -> TypeDescription.createInt();
            default -> TypeDescription.createLong();
          };
      case DataType.Floating(int bits) ->
          bits == 32 ? TypeDescription.createFloat() : TypeDescription.createDouble();
      case DataType.Decimal(int precision, int scale) ->
          TypeDescription.createDecimal().withScale(scale).withPrecision(precision);
      case DataType.Date _ -> TypeDescription.createDate();
      case DataType.Timestamp(TimeUnit _, boolean utc) ->
          utc ? TypeDescription.createTimestampInstant() : TypeDescription.createTimestamp();
      case DataType.Utf8 _ -> TypeDescription.createString();
      case DataType.Binary _ -> TypeDescription.createBinary();
      case DataType.List(DataType element, boolean _) -> TypeDescription.createList(type(element));
      case DataType.Map(DataType key, DataType value, boolean _) ->
          TypeDescription.createMap(type(key), type(value));
      case DataType.Struct(List<Field> fields) -> {
        TypeDescription struct = TypeDescription.createStruct();
        fields.forEach(field -> struct.addField(field.name(), type(field.type())));
        yield struct;
      }
      default -> throw new AssertionError(type);
    };
  }

  private static void set(ColumnVector vector, int row, DataType type, Object value) {
    vector.isNull[row] = value == null;
    if (value == null) {
      vector.noNulls = false;
      return;
    }
    switch (vector) {
      case TimestampColumnVector times -> {
        long nanos = Values.toLong(type, value);
        times.time[row] = Math.floorDiv(nanos, 1_000_000);
        times.nanos[row] = Math.floorMod(nanos, 1_000_000_000);
      }
      case DecimalColumnVector decimals ->
          decimals.set(row, HiveDecimal.create((BigDecimal) value));
      case LongColumnVector numbers ->
          numbers.vector[row] =
              value instanceof Boolean flag ? (flag ? 1 : 0) : Values.toLong(type, value);
      case DoubleColumnVector numbers -> numbers.vector[row] = ((Number) value).doubleValue();
      case BytesColumnVector texts ->
          texts.setVal(
              row,
              type instanceof DataType.Binary
                  ? HexFormat.of().parseHex((String) value)
                  : ((String) value).getBytes(StandardCharsets.UTF_8));
      case ListColumnVector lists -> {
        List<?> list = (List<?>) value;
        lists.offsets[row] = lists.childCount;
        lists.lengths[row] = list.size();
        lists.childCount += list.size();
        lists.child.ensureSize(lists.childCount, true);
        for (int i = 0; i < list.size(); i++) {
          int at = (int) lists.offsets[row] + i;
          set(lists.child, at, ((DataType.List) type).element(), list.get(i));
        }
      }
      case MapColumnVector maps -> {
        List<?> list = (List<?>) value;
        maps.offsets[row] = maps.childCount;
        maps.lengths[row] = list.size();
        maps.childCount += list.size();
        maps.keys.ensureSize(maps.childCount, true);
        maps.values.ensureSize(maps.childCount, true);
        for (int i = 0; i < list.size(); i++) {
          Map.Entry<?, ?> entry = (Map.Entry<?, ?>) list.get(i);
          int at = (int) maps.offsets[row] + i;
          set(maps.keys, at, ((DataType.Map) type).key(), entry.getKey());
          set(maps.values, at, ((DataType.Map) type).value(), entry.getValue());
        }
      }
      case StructColumnVector structs -> {
        List<Field> fields = ((DataType.Struct) type).fields();
        for (int i = 0; i < fields.size(); i++) {
          Object part = ((Map<?, ?>) value).get(fields.get(i).name());
          set(structs.fields[i], row, fields.get(i).type(), part);
        }
      }
      default -> throw new AssertionError(vector.type);
    }
  }
}
