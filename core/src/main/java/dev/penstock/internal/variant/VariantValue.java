package dev.penstock.internal.variant;

import java.math.BigDecimal;
import java.math.BigInteger;
import java.nio.ByteBuffer;
import java.time.Instant;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.LocalTime;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// A value of a variant column, or a part of one, whose bytes were checked.
///
/// **Threads.** One at a time.
public final class VariantValue {
  /// Deeper values are refused, because reading them would need as much of the stack.
  static final int DEPTH_MAX = 200;

  private static final int OBJECT = 2;
  private static final int ARRAY = 3;

  /// The bytes of each primitive type, by its number; -1 for a length that comes first.
  private static final int[] WIDTHS = {
    0, 0, 0, 1, 2, 4, 8, 8, 5, 9, 17, 4, 8, 8, 4, -1, -1, 8, 8, 8, 16
  };

  static final int NULL = 0;
  static final int TRUE = 1;
  static final int FALSE = 2;
  static final int INT8 = 3;
  static final int INT16 = 4;
  static final int INT32 = 5;
  static final int INT64 = 6;
  static final int FLOAT64 = 7;
  static final int DECIMAL4 = 8;
  static final int DECIMAL8 = 9;
  static final int DECIMAL16 = 10;
  static final int DATE = 11;
  static final int TIMESTAMP = 12;
  static final int TIMESTAMP_NTZ = 13;
  static final int FLOAT32 = 14;
  static final int BINARY = 15;
  static final int STRING = 16;
  static final int TIME = 17;
  static final int TIMESTAMP_NANOS = 18;
  static final int TIMESTAMP_NTZ_NANOS = 19;
  static final int UUID = 20;

  private static final long MICROS_PER_DAY = 86_400_000_000L;

  final byte[] bytes;
  final int at;
  private final VariantNames names;

  /// Makes the value that starts at a byte; the bytes, checked, are not copied.
  VariantValue(byte[] bytes, int at, VariantNames names) {
    this.bytes = bytes;
    this.at = at;
    this.names = names;
  }

  /// Returns the value that lies behind its metadata, as in the memory of a column, up to `end`.
  /// `last` is the metadata of another value, or null.
  public static VariantValue of(byte[] bytes, int end, @Nullable VariantNames last) {
    try {
      VariantNames names = VariantNames.of(bytes, 0, end, last);
      return new VariantValue(bytes, names.length(), names);
    } catch (VariantException e) {
      throw new IllegalStateException("A column has unchecked variants.", e);
    }
  }

  /// Where the parts of an object or array are.
  ///
  /// @param ids where the numbers of the names are; only of an object
  /// @param idWidth the bytes of each; 0 for an array
  /// @param offsets where the offsets of the parts are
  /// @param width the bytes of each
  /// @param parts where offsets count from
  private record Parts(int count, int ids, int idWidth, int offsets, int width, int parts) {
    static Parts of(byte[] bytes, int at, int limit) throws VariantException {
      int info = bytes[at] >>> 2 & 0x3F;
      boolean isObject = (bytes[at] & 3) == OBJECT;
      int width = (info & 3) + 1;
      int idWidth = isObject ? (info >>> 2 & 3) + 1 : 0;
      int countWidth = (isObject ? info >>> 4 & 1 : info >>> 2 & 1) == 0 ? 1 : 4;
      int ids = VariantBytes.end(at + 1, countWidth, limit);
      long count = VariantBytes.unsigned(bytes, at + 1, countWidth);
      int offsets = VariantBytes.end(ids, count * idWidth, limit);
      int parts = VariantBytes.end(offsets, (count + 1) * width, limit);
      return new Parts((int) count, ids, idWidth, offsets, width, parts);
    }

    long offset(byte[] bytes, int index) {
      return VariantBytes.unsigned(bytes, offsets + index * width, width);
    }

    int place(byte[] bytes, int index) {
      return (int) (parts + offset(bytes, index));
    }

    long id(byte[] bytes, int index) {
      return VariantBytes.unsigned(bytes, ids + index * idWidth, idWidth);
    }
  }

  private VariantValue part(Parts parts, int index) {
    return new VariantValue(bytes, parts.place(bytes, index), names);
  }

  private Parts parts() {
    try {
      return Parts.of(bytes, at, bytes.length);
    } catch (VariantException e) {
      throw new IllegalStateException("An unchecked variant.", e);
    }
  }

  /// Checks a value and its parts, which start at byte `at` and end at `limit` or before. Returns
  /// the end.
  static int check(byte[] bytes, int at, int limit, VariantNames names) throws VariantException {
    return check(bytes, at, limit, names, 0);
  }

  private static int check(byte[] bytes, int at, int limit, VariantNames names, int depth)
      throws VariantException {
    if (depth > DEPTH_MAX) {
      throw new VariantException("it is nested more than " + DEPTH_MAX + " deep.");
    }
    VariantBytes.end(at, 1, limit);
    int info = bytes[at] >>> 2 & 0x3F;
    return switch (bytes[at] & 3) {
      case 0 -> checkPrimitive(bytes, at + 1, limit, info);
      case 1 -> {
        int end = VariantBytes.end(at + 1, info, limit);
        VariantBytes.requireUtf8(bytes, at + 1, info);
        yield end;
      }
      default -> {
        Parts parts = Parts.of(bytes, at, limit);
        if ((bytes[at] & 3) == OBJECT) {
          checkNames(bytes, parts, names);
        }
        yield checkParts(bytes, parts, limit, names, depth);
      }
    };
  }

  /// Parts may lie in any order but not overlap: else a short value could have endless parts.
  private static int checkParts(byte[] bytes, Parts parts, int limit, VariantNames names, int depth)
      throws VariantException {
    int end = VariantBytes.end(parts.parts, parts.offset(bytes, parts.count), limit);
    long sum = 0;
    for (int i = 0; i < parts.count; i++) {
      int start = VariantBytes.end(parts.parts, parts.offset(bytes, i), end);
      sum += check(bytes, start, end, names, depth + 1) - start;
      if (sum > end - parts.parts) {
        throw new VariantException("parts of it overlap.");
      }
    }
    return end;
  }

  private static void checkNames(byte[] bytes, Parts parts, VariantNames names)
      throws VariantException {
    boolean ascend = true;
    for (int i = 0; i < parts.count; i++) {
      long id = parts.id(bytes, i);
      if (id >= names.size()) {
        throw new VariantException(
            "a field has name " + id + " but its metadata has " + names.size() + ".");
      }
      ascend &=
          i == 0 || names.name((int) parts.id(bytes, i - 1)).compareTo(names.name((int) id)) < 0;
    }
    if (!ascend) {
      Set<String> seen = new HashSet<>();
      for (int i = 0; i < parts.count; i++) {
        String name = names.name((int) parts.id(bytes, i));
        if (!seen.add(name)) {
          throw new VariantException("an object has field '" + name + "' twice.");
        }
      }
    }
  }

  private static int checkPrimitive(byte[] bytes, int at, int limit, int type)
      throws VariantException {
    if (type >= WIDTHS.length) {
      throw new VariantException(
          "it has primitive type " + type + " but only those up to 20 can be read.");
    }
    if (WIDTHS[type] < 0) {
      int from = VariantBytes.end(at, 4, limit);
      long length = VariantBytes.unsigned(bytes, at, 4);
      int end = VariantBytes.end(from, length, limit);
      if (type == STRING) {
        VariantBytes.requireUtf8(bytes, from, (int) length);
      }
      return end;
    }
    int end = VariantBytes.end(at, WIDTHS[type], limit);
    if (type >= DECIMAL4 && type <= DECIMAL16 && (bytes[at] < 0 || bytes[at] > 38)) {
      throw new VariantException("a decimal has scale " + (bytes[at] & 0xFF) + ".");
    }
    if (type == TIME) {
      long micros = (long) VariantBytes.LONG.get(bytes, at);
      if (micros < 0 || micros >= MICROS_PER_DAY) {
        throw new VariantException("a time is " + micros + " microseconds after midnight.");
      }
    }
    return end;
  }

  public VariantNames names() {
    return names;
  }

  /// Returns the byte after the value.
  int end() {
    try {
      return check(bytes, at, bytes.length, names);
    } catch (VariantException e) {
      throw new IllegalStateException("An unchecked variant.", e);
    }
  }

  /// Returns the field that a path, names with dots between them, leads to; null if there is none.
  /// A field whose own name contains the dots takes precedence.
  public @Nullable VariantValue find(String path) {
    VariantValue whole = field(path);
    if (whole != null) {
      return whole;
    }
    for (int dot = path.indexOf('.'); dot >= 0; dot = path.indexOf('.', dot + 1)) {
      VariantValue field = field(path.substring(0, dot));
      VariantValue found = field == null ? null : field.find(path.substring(dot + 1));
      if (found != null) {
        return found;
      }
    }
    return null;
  }

  private @Nullable VariantValue field(String name) {
    if ((bytes[at] & 3) != OBJECT) {
      return null;
    }
    Parts parts = parts();
    for (int i = 0; i < parts.count; i++) {
      if (names.name((int) parts.id(bytes, i)).equals(name)) {
        return part(parts, i);
      }
    }
    return null;
  }

  /// A field of an object, by the number of its name.
  record Entry(int id, VariantValue value) {}

  /// Returns the fields of an object, as they lie; null if it is none.
  @Nullable List<Entry> fields() {
    if ((bytes[at] & 3) != OBJECT) {
      return null;
    }
    Parts parts = parts();
    List<Entry> fields = new ArrayList<>(parts.count);
    for (int i = 0; i < parts.count; i++) {
      fields.add(new Entry((int) parts.id(bytes, i), part(parts, i)));
    }
    return fields;
  }

  /// Returns the value as a Java object.
  ///
  /// @return a `Map` with the fields of an object, a `List`, `String`, `Boolean`, `Long` for all
  ///   integers, `Float`, `Double`, `BigDecimal`, `LocalDate`, `LocalTime`, `Instant`,
  ///   `LocalDateTime` for timestamps without a zone, `UUID` or `byte[]`; null for null
  public @Nullable Object object() {
    int info = bytes[at] >>> 2 & 0x3F;
    return switch (bytes[at] & 3) {
      case 0 -> primitive(info, at + 1);
      case 1 -> VariantBytes.text(bytes, at + 1, info);
      case ARRAY -> list();
      default -> map();
    };
  }

  private List<@Nullable Object> list() {
    Parts parts = parts();
    List<@Nullable Object> list = new ArrayList<>(parts.count);
    for (int i = 0; i < parts.count; i++) {
      list.add(part(parts, i).object());
    }
    return Collections.unmodifiableList(list);
  }

  private Map<String, @Nullable Object> map() {
    Parts parts = parts();
    Map<String, @Nullable Object> map = LinkedHashMap.newLinkedHashMap(parts.count);
    for (int i = 0; i < parts.count; i++) {
      map.put(names.name((int) parts.id(bytes, i)), part(parts, i).object());
    }
    return Collections.unmodifiableMap(map);
  }

  private @Nullable Object primitive(int type, int from) {
    return switch (type) {
      case NULL -> null;
      case TRUE -> true;
      case FALSE -> false;
      case INT8 -> (long) bytes[from];
      case INT16 -> (long) (short) VariantBytes.SHORT.get(bytes, from);
      case INT32 -> (long) integer(from);
      case INT64 -> whole(from);
      case FLOAT64 -> Double.longBitsToDouble(whole(from));
      case DECIMAL4 -> BigDecimal.valueOf(integer(from + 1), bytes[from]);
      case DECIMAL8 -> BigDecimal.valueOf(whole(from + 1), bytes[from]);
      case DECIMAL16 -> decimal(from);
      case DATE -> LocalDate.ofEpochDay(integer(from));
      case TIMESTAMP -> instant(whole(from), 1_000_000);
      case TIMESTAMP_NTZ -> local(whole(from), 1_000_000);
      case FLOAT32 -> Float.intBitsToFloat(integer(from));
      case BINARY -> Arrays.copyOfRange(bytes, from + 4, from + 4 + integer(from));
      case STRING -> VariantBytes.text(bytes, from + 4, integer(from));
      case TIME -> LocalTime.ofNanoOfDay(whole(from) * 1_000);
      case TIMESTAMP_NANOS -> instant(whole(from), 1_000_000_000);
      case TIMESTAMP_NTZ_NANOS -> local(whole(from), 1_000_000_000);
      default -> {
        ByteBuffer uuid = ByteBuffer.wrap(bytes, from, 16);
        yield new java.util.UUID(uuid.getLong(), uuid.getLong());
      }
    };
  }

  private int integer(int from) {
    return (int) VariantBytes.INT.get(bytes, from);
  }

  private long whole(int from) {
    return (long) VariantBytes.LONG.get(bytes, from);
  }

  private BigDecimal decimal(int from) {
    byte[] unscaled = new byte[16];
    for (int i = 0; i < 16; i++) {
      unscaled[15 - i] = bytes[from + 1 + i];
    }
    return new BigDecimal(new BigInteger(unscaled), bytes[from]);
  }

  private static Instant instant(long count, long perSecond) {
    return Instant.ofEpochSecond(
        Math.floorDiv(count, perSecond),
        Math.floorMod(count, perSecond) * (1_000_000_000 / perSecond));
  }

  private static LocalDateTime local(long count, long perSecond) {
    return LocalDateTime.ofInstant(instant(count, perSecond), ZoneOffset.UTC);
  }
}
