package dev.penstock.arrow.ipc;

import dev.penstock.arrow.ipc.IpcColumn.Change;
import dev.penstock.arrow.ipc.IpcColumn.Layout;
import dev.penstock.format.MalformedFileException;
import dev.penstock.schema.DataType;
import dev.penstock.schema.DataType.TimeUnit;
import dev.penstock.schema.Field;
import dev.penstock.spi.format.FilePlace;
import java.util.ArrayList;
import java.util.List;
import org.apache.arrow.flatbuf.DateUnit;
import org.apache.arrow.flatbuf.DictionaryEncoding;
import org.apache.arrow.flatbuf.Endianness;
import org.apache.arrow.flatbuf.FixedSizeBinary;
import org.apache.arrow.flatbuf.FixedSizeList;
import org.apache.arrow.flatbuf.FloatingPoint;
import org.apache.arrow.flatbuf.Int;
import org.apache.arrow.flatbuf.MetadataVersion;
import org.apache.arrow.flatbuf.Precision;
import org.apache.arrow.flatbuf.Schema;
import org.apache.arrow.flatbuf.Time;
import org.apache.arrow.flatbuf.Timestamp;
import org.apache.arrow.flatbuf.Type;
import org.apache.arrow.flatbuf.UnionMode;
import org.jspecify.annotations.Nullable;

/// Turns Arrow's schema into columns, and counts the nodes and buffers of each.
final class SchemaReader {
  /// How deep types may be nested.
  static final int DEPTH_MAX = 64;

  private static final int FIXED_BYTES_MAX = 16 << 20;

  private final short version;
  private final FilePlace where;
  private int fieldsLeft;
  private int nodes;
  private int buffers;
  private int views;

  /// @param fieldsMax the most fields that a schema of this size can have
  private SchemaReader(short version, FilePlace where, int fieldsMax) {
    this.version = version;
    this.where = where;
    this.fieldsLeft = fieldsMax;
  }

  /// The columns, and what every record batch must have.
  ///
  /// @param buffers how many buffers, without the extra ones of views
  record Columns(List<IpcColumn> columns, int nodes, int buffers, int views) {}

  /// @param bytes the most bytes of the schema
  static Columns read(Schema schema, short version, int bytes, FilePlace where)
      throws MalformedFileException {
    if (schema.endianness() != Endianness.Little) {
      throw where.fail("Unsupported Arrow file: its values are big-endian. Write it anew.");
    }
    SchemaReader reader = new SchemaReader(version, where, bytes / 8);
    List<IpcColumn> columns = new ArrayList<>();
    for (int i = 0; i < schema.fieldsLength(); i++) {
      columns.add(reader.column(schema.fields(i), "", 0));
    }
    return new Columns(List.copyOf(columns), reader.nodes, reader.buffers, reader.views);
  }

  /// @param within the path of the enclosing column with a dot at its end; empty at the top level
  private IpcColumn column(org.apache.arrow.flatbuf.Field field, String within, int depth)
      throws MalformedFileException {
    if (depth > DEPTH_MAX) {
      throw where.fail(
          "Corrupt Arrow file: its types are nested more than " + DEPTH_MAX + " deep.");
    }
    if (fieldsLeft-- == 0) {
      throw where.fail("Corrupt Arrow file: its schema has more fields than bytes for them.");
    }
    String name = field.name() == null ? "" : field.name();
    DictionaryEncoding encoding = field.dictionary();
    if (encoding == null) {
      return stored(field, name, within, depth);
    }
    SchemaReader own = new SchemaReader(version, where, fieldsLeft + 1);
    IpcColumn values = own.stored(field, name, within, depth);
    fieldsLeft = own.fieldsLeft;
    Int index = encoding.indexType();
    int width = index == null ? 4 : index.bitWidth() / 8;
    boolean readable =
        (width == 1 || width == 2 || width == 4 || width == 8)
            && switch (values.layout()) {
              case FIXED, VARIABLE, VIEWS -> true;
              default -> false;
            };
    DataType type =
        readable ? values.type() : new DataType.Unsupported("dictionary<" + values.type() + ">");
    boolean signed = index == null || index.isSigned();
    IpcColumn made =
        new IpcColumn(
            new Field(name, type, field.nullable()),
            within + name,
            new IpcColumn.Form(readable ? Layout.CODES : Layout.OTHER, width, Change.NONE),
            new IpcColumn.Place(nodes, buffers, views),
            new IpcColumn.Dictionary(encoding.id(), signed, values),
            List.of());
    nodes++;
    buffers += 2;
    return made;
  }

  /// The loader's type for an Arrow type.
  private record Form(@Nullable DataType type, Layout layout, int width, Change change) {
    static Form fixed(DataType type, int width) {
      return new Form(type, Layout.FIXED, width, Change.NONE);
    }
  }

  private IpcColumn stored(
      org.apache.arrow.flatbuf.Field field, String name, String within, int depth)
      throws MalformedFileException {
    IpcColumn.Place place = new IpcColumn.Place(nodes++, buffers, views);
    count(field);
    List<IpcColumn> children = new ArrayList<>();
    for (int i = 0; i < field.childrenLength(); i++) {
      children.add(column(field.children(i), within + name + ".", depth + 1));
    }
    Form form = form(field, children);
    boolean parts = children.stream().anyMatch(c -> c.type() instanceof DataType.Unsupported);
    boolean readable = form.type != null && !parts;
    DataType type =
        readable && form.type != null ? form.type : new DataType.Unsupported(text(field));
    return new IpcColumn(
        new Field(name, type, field.nullable() || form.layout == Layout.NONE),
        within + name,
        new IpcColumn.Form(readable ? form.layout : Layout.OTHER, form.width, form.change),
        place,
        null,
        List.copyOf(children));
  }

  private static String text(org.apache.arrow.flatbuf.Field field) {
    byte type = field.typeType();
    return type >= 0 && type < Type.names.length
        ? "arrow " + Type.name(type)
        : "arrow type " + type;
  }

  /// Counts the buffers of a type. In version 4 all types except null have validity bits.
  private void count(org.apache.arrow.flatbuf.Field field) {
    int bitsInVersion4 = version == MetadataVersion.V4 ? 1 : 0;
    switch (field.typeType()) {
      case Type.Null -> {
        // None.
      }
      case Type.RunEndEncoded -> buffers += bitsInVersion4;
      case Type.Struct_, Type.FixedSizeList -> buffers++;
      case Type.Union -> {
        var union =
            (org.apache.arrow.flatbuf.Union) field.type(new org.apache.arrow.flatbuf.Union());
        buffers += union != null && union.mode() == UnionMode.Dense ? 2 : 1;
        buffers += bitsInVersion4;
      }
      case Type.Utf8,
          Type.Binary,
          Type.LargeUtf8,
          Type.LargeBinary,
          Type.ListView,
          Type.LargeListView ->
          buffers += 3;
      case Type.Utf8View, Type.BinaryView -> {
        buffers += 2;
        views++;
      }
      default -> buffers += 2;
    }
  }

  private static Form none() {
    return new Form(null, Layout.OTHER, 0, Change.NONE);
  }

  private Form form(org.apache.arrow.flatbuf.Field field, List<IpcColumn> children) {
    return switch (field.typeType()) {
      case Type.Int -> {
        Int type = (Int) field.type(new Int());
        int bits = type.bitWidth();
        yield bits == 8 || bits == 16 || bits == 32 || bits == 64
            ? Form.fixed(new DataType.Int(bits, type.isSigned()), bits / 8)
            : none();
      }
      case Type.FloatingPoint ->
          switch (((FloatingPoint) field.type(new FloatingPoint())).precision()) {
            case Precision.HALF -> Form.fixed(new DataType.Floating(16), 2);
            case Precision.SINGLE -> Form.fixed(new DataType.Floating(32), 4);
            case Precision.DOUBLE -> Form.fixed(new DataType.Floating(64), 8);
            default -> none();
          };
      // The form in which Parquet's writers store it.
      case Type.Null -> new Form(new DataType.Null(), Layout.NONE, 4, Change.NONE);
      case Type.Duration -> Form.fixed(new DataType.Int(64, true), 8);
      case Type.Utf8 -> new Form(new DataType.Utf8(), Layout.VARIABLE, 4, Change.NONE);
      case Type.Utf8View -> new Form(new DataType.Utf8(), Layout.VIEWS, 16, Change.NONE);
      case Type.BinaryView -> new Form(new DataType.Binary(), Layout.VIEWS, 16, Change.NONE);
      case Type.LargeUtf8 -> new Form(new DataType.Utf8(), Layout.VARIABLE, 8, Change.NONE);
      case Type.Binary -> new Form(new DataType.Binary(), Layout.VARIABLE, 4, Change.NONE);
      case Type.LargeBinary -> new Form(new DataType.Binary(), Layout.VARIABLE, 8, Change.NONE);
      case Type.Bool -> new Form(new DataType.Bool(), Layout.BITS, 0, Change.NONE);
      case Type.Decimal -> decimal(field);
      case Type.Date -> {
        var type = (org.apache.arrow.flatbuf.Date) field.type(new org.apache.arrow.flatbuf.Date());
        yield type.unit() == DateUnit.DAY
            ? Form.fixed(new DataType.Date(), 4)
            : new Form(new DataType.Date(), Layout.FIXED, 8, Change.MILLIS_TO_DAYS);
      }
      case Type.Time -> time((Time) field.type(new Time()));
      case Type.Timestamp -> timestamp((Timestamp) field.type(new Timestamp()));
      case Type.FixedSizeBinary -> {
        int width = ((FixedSizeBinary) field.type(new FixedSizeBinary())).byteWidth();
        yield width < 1 || width > FIXED_BYTES_MAX
            ? none()
            : Form.fixed(
                width == 16 && isUuid(field)
                    ? new DataType.Uuid()
                    : new DataType.FixedBinary(width),
                width);
      }
      case Type.List, Type.LargeList -> {
        int width = field.typeType() == Type.List ? 4 : 8;
        yield children.size() == 1 ? list(children.getFirst(), Layout.LIST, width) : none();
      }
      case Type.FixedSizeList -> {
        int size = ((FixedSizeList) field.type(new FixedSizeList())).listSize();
        yield children.size() == 1 && size >= 0
            ? list(children.getFirst(), Layout.FIXED_LIST, size)
            : none();
      }
      case Type.Map -> map(children);
      case Type.Struct_ -> struct(children);
      default -> none();
    };
  }

  private static Form list(IpcColumn element, Layout layout, int width) {
    return new Form(
        new DataType.List(element.type(), element.field().nullable()), layout, width, Change.NONE);
  }

  private static Form map(List<IpcColumn> children) {
    if (children.size() != 1
        || children.getFirst().layout() != Layout.STRUCT
        || children.getFirst().children().size() != 2) {
      return none();
    }
    IpcColumn key = children.getFirst().children().getFirst();
    IpcColumn value = children.getFirst().children().getLast();
    DataType type = new DataType.Map(key.type(), value.type(), value.field().nullable());
    return new Form(type, Layout.LIST, 4, Change.NONE);
  }

  private static Form struct(List<IpcColumn> children) {
    List<Field> fields = children.stream().map(IpcColumn::field).toList();
    boolean distinct = fields.stream().map(Field::name).distinct().count() == fields.size();
    return fields.isEmpty() || !distinct
        ? none()
        : new Form(new DataType.Struct(fields), Layout.STRUCT, 0, Change.NONE);
  }

  private static Form decimal(org.apache.arrow.flatbuf.Field field) {
    var type =
        (org.apache.arrow.flatbuf.Decimal) field.type(new org.apache.arrow.flatbuf.Decimal());
    int bits = type.bitWidth();
    boolean known = bits == 32 || bits == 64 || bits == 128 || bits == 256;
    int most = bits == 32 ? 9 : bits == 64 ? 18 : bits == 128 ? 38 : 76;
    int precision = type.precision();
    return known
            && precision > 0
            && precision <= most
            && type.scale() >= 0
            && type.scale() <= precision
        ? new Form(
            new DataType.Decimal(precision, type.scale()), Layout.FIXED, bits / 8, Change.DECIMAL)
        : none();
  }

  private static Form time(Time type) {
    int width = type.bitWidth() / 8;
    return switch (type.unit()) {
      case org.apache.arrow.flatbuf.TimeUnit.SECOND ->
          width == 4
              ? new Form(
                  new DataType.Time(TimeUnit.MILLIS, false),
                  Layout.FIXED,
                  4,
                  Change.SECONDS_TO_MILLIS)
              : none();
      case org.apache.arrow.flatbuf.TimeUnit.MILLISECOND ->
          width == 4 ? Form.fixed(new DataType.Time(TimeUnit.MILLIS, false), 4) : none();
      case org.apache.arrow.flatbuf.TimeUnit.MICROSECOND ->
          width == 8 ? Form.fixed(new DataType.Time(TimeUnit.MICROS, false), 8) : none();
      case org.apache.arrow.flatbuf.TimeUnit.NANOSECOND ->
          width == 8 ? Form.fixed(new DataType.Time(TimeUnit.NANOS, false), 8) : none();
      default -> none();
    };
  }

  private static Form timestamp(Timestamp type) {
    boolean utc = type.timezone() != null && !type.timezone().isEmpty();
    return switch (type.unit()) {
      case org.apache.arrow.flatbuf.TimeUnit.SECOND ->
          new Form(
              new DataType.Timestamp(TimeUnit.MILLIS, utc),
              Layout.FIXED,
              8,
              Change.SECONDS_TO_MILLIS);
      case org.apache.arrow.flatbuf.TimeUnit.MILLISECOND ->
          Form.fixed(new DataType.Timestamp(TimeUnit.MILLIS, utc), 8);
      case org.apache.arrow.flatbuf.TimeUnit.MICROSECOND ->
          Form.fixed(new DataType.Timestamp(TimeUnit.MICROS, utc), 8);
      case org.apache.arrow.flatbuf.TimeUnit.NANOSECOND ->
          Form.fixed(new DataType.Timestamp(TimeUnit.NANOS, utc), 8);
      default -> none();
    };
  }

  private static boolean isUuid(org.apache.arrow.flatbuf.Field field) {
    for (int i = 0; i < field.customMetadataLength(); i++) {
      var pair = field.customMetadata(i);
      if ("ARROW:extension:name".equals(pair.key()) && "arrow.uuid".equals(pair.value())) {
        return true;
      }
    }
    return false;
  }
}
