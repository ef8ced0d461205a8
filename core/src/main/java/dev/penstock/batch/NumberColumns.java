package dev.penstock.batch;

import dev.penstock.internal.choice.Sentence;
import java.lang.foreign.MemorySegment;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/// Adds columns of numbers to a batch that is being built: scalars, blocks of one shape, and lists.
///
/// Arrays of primitives are treated as tensors, so that only tensors and lists remain.
record NumberColumns(BatchBuilder batch) {
  /// Adds a column of one number or boolean for each row.
  void scalars(String name, @Nullable Object[] values, @Nullable DType chosen) {
    DType dtype = chosen != null ? chosen : Objects.requireNonNull(typeOf(values[0]));
    Tensor to = batch.tensor(name, dtype, Shape.of(values.length));
    Elements elements = new Elements(to, chosen != null);
    for (int row = 0; row < values.length; row++) {
      Object value = values[row];
      if (value == null || Elements.typeOf(value) == null) {
        throw Collation.unlike(name, row, value, "a number");
      }
      if (!elements.put(row, value)) {
        throw unfit(name, row, Collation.named(value), dtype);
      }
    }
  }

  /// Adds a column of tensors or arrays of one shape.
  void stack(String name, @Nullable Object[] values, @Nullable DType chosen) {
    Tensor[] tensors = new Tensor[values.length];
    for (int row = 0; row < values.length; row++) {
      tensors[row] = tensor(name, row, values[row]);
      if (!tensors[row].shape().equals(tensors[0].shape())) {
        throw Collation.wrong(
            name,
            row,
            "has shape " + tensors[row].shape() + " but row 0 has " + tensors[0].shape() + ".",
            "Use pad or ragged of Collators for one axis that differs in length.");
      }
    }
    DType dtype = chosen != null ? chosen : promoted(name, tensors);
    Shape shape = tensors[0].shape().under(values.length);
    Elements elements = new Elements(batch.tensor(name, dtype, shape), chosen != null);
    long each = tensors[0].shape().elementCount();
    for (int row = 0; row < values.length; row++) {
      write(name, row, tensors[row], elements, row * each, dtype);
    }
  }

  private static Tensor tensor(String name, int row, @Nullable Object value) {
    Tensor tensor = value == null ? null : PrimitiveArrays.asTensor(value);
    if (tensor == null) {
      throw value != null && PrimitiveArrays.isOne(value)
          ? Collation.wrong(
              name,
              row,
              "is of type "
                  + value.getClass().getSimpleName()
                  + " with arrays that differ in length.",
              "Make them of one length.")
          : Collation.unlike(name, row, value, "a tensor or array");
    }
    return tensor;
  }

  private static DType promoted(String name, Tensor[] tensors) {
    DType dtype = tensors[0].dtype();
    for (int row = 1; row < tensors.length; row++) {
      DType both = promoted(dtype, tensors[row].dtype());
      if (both == null) {
        throw Collation.wrong(
            name,
            row,
            "is of type " + tensors[row].dtype() + " but the rows before of " + dtype + ".",
            stateType(name));
      }
      dtype = both;
    }
    return dtype;
  }

  /// Returns the common type, as in torch, or null where it has none.
  static @Nullable DType promoted(DType a, DType b) {
    if (a == b) {
      return a;
    }
    if (a.isFloating() && b.isFloating()) {
      return wider(a, b);
    }
    if (a.isFloating() || b.isFloating()) {
      return a.isFloating() ? a : b;
    }
    if (isWideUnsigned(a) || isWideUnsigned(b)) {
      return null;
    }
    if (a == DType.BOOL || b == DType.BOOL) {
      return a == DType.BOOL ? b : a;
    }
    return a.bytes() == b.bytes() ? DType.INT16 : wider(a, b); // The same size: INT8 and UINT8.
  }

  private static DType wider(DType a, DType b) {
    return a.bytes() > b.bytes() ? a : b;
  }

  private static boolean isWideUnsigned(DType dtype) {
    return dtype == DType.UINT16 || dtype == DType.UINT32 || dtype == DType.UINT64;
  }

  /// Adds a column of lists as wide as the longest.
  void pad(
      String name, @Nullable Object[] values, @Nullable DType chosen, SequenceForm.Padded padded) {
    Object[] lists = lists(name, values);
    DType dtype = chosen != null ? chosen : listType(name, lists);
    requireFits(name, padded.value(), dtype);
    long longest = 0;
    for (Object list : lists) {
      longest = Math.max(longest, length(list));
    }
    Tensor to = batch.tensor(name, dtype, Shape.of(lists.length, longest));
    Elements elements = new Elements(to, chosen != null);
    Elements filler = new Elements(to, true);
    long[] lengths = new long[lists.length];
    for (int row = 0; row < lists.length; row++) {
      lengths[row] = length(lists[row]);
      write(name, row, lists[row], elements, row * longest, dtype);
      for (long place = lengths[row]; place < longest; place++) {
        filler.put(row * longest + place, padded.value());
      }
    }
    if (padded.lengths() != null) {
      Tensor column = batch.tensor(padded.lengths(), DType.INT64, Shape.of(lists.length));
      new Elements(column, false).copy(Tensor.of(lengths), 0);
    }
  }

  private static void requireFits(String name, Number value, DType dtype) {
    MemorySegment memory = MemorySegment.ofArray(new byte[dtype.bytes()]);
    Tensor one = Tensor.of(dtype, Shape.of(1), memory);
    if (!new Elements(one, true).put(0, value)) {
      throw new IllegalArgumentException(
          Sentence.of(
              "Cannot pad column '%s' with %s: its type %s cannot hold that. %s",
              name, Collation.named(value), dtype, stateType(name)));
    }
  }

  /// Adds a column of lists, each of its own length.
  void ragged(String name, @Nullable Object[] values, @Nullable DType chosen) {
    Object[] lists = lists(name, values);
    DType dtype = chosen != null ? chosen : listType(name, lists);
    long[] lengths = Arrays.stream(lists).mapToLong(NumberColumns::length).toArray();
    RaggedTensor to = batch.ragged(name, dtype, lengths);
    Elements elements = new Elements(to.values(), chosen != null);
    long at = 0;
    for (int row = 0; row < lists.length; row++) {
      write(name, row, lists[row], elements, at, dtype);
      at += lengths[row];
    }
  }

  /// Returns each value as a `List` or a tensor of one axis.
  private static Object[] lists(String name, @Nullable Object[] values) {
    Object[] lists = new Object[values.length];
    for (int row = 0; row < values.length; row++) {
      Object value = values[row];
      Tensor tensor = value == null ? null : PrimitiveArrays.asTensor(value);
      if (tensor != null && tensor.shape().rank() == 1) {
        lists[row] = tensor;
      } else if (value instanceof List<?>
          || (value instanceof Object[] && !PrimitiveArrays.isOne(value))) {
        lists[row] = value instanceof Object[] array ? Arrays.asList(array) : value;
      } else {
        throw Collation.wrong(
            name,
            row,
            "is " + Collation.named(value) + ".",
            "Expected a list, array or tensor of one axis, of numbers.");
      }
    }
    return lists;
  }

  private static long length(Object list) {
    return list instanceof Tensor tensor ? tensor.shape().dim(0) : ((List<?>) list).size();
  }

  /// Returns the common type of the tensors; without tensors, the type of the first number.
  private static DType listType(String name, Object[] lists) {
    Tensor[] tensors =
        Arrays.stream(lists)
            .filter(Tensor.class::isInstance)
            .map(Tensor.class::cast)
            .toArray(Tensor[]::new);
    if (tensors.length > 0) {
      return promoted(name, tensors);
    }
    for (int row = 0; row < lists.length; row++) {
      List<?> list = (List<?>) lists[row];
      if (!list.isEmpty()) {
        DType dtype = typeOf(list.getFirst());
        if (dtype == null) {
          throw notNumber(name, row, 0, list.getFirst());
        }
        return dtype;
      }
    }
    throw new IllegalArgumentException(
        "Cannot batch column '"
            + name
            + "': all lists of the batch are empty, so their type is not known. "
            + stateType(name));
  }

  private static void write(
      String name, int row, Object list, Elements elements, long at, DType dtype) {
    if (list instanceof Tensor tensor) {
      long unfit = elements.copy(tensor, at);
      if (unfit >= 0) {
        String value =
            tensor.dtype().isFloating() ? "" + tensor.getDouble(unfit) : "" + tensor.getLong(unfit);
        throw unfit(name, row, value + " (" + tensor.dtype() + ") at " + unfit, dtype);
      }
      return;
    }
    int place = 0;
    for (Object value : (List<?>) list) {
      if (value == null || Elements.typeOf(value) == null) {
        throw notNumber(name, row, place, value);
      }
      if (!elements.put(at + place, value)) {
        throw unfit(name, row, Collation.named(value) + " at " + place, dtype);
      }
      place++;
    }
  }

  private static IllegalArgumentException notNumber(
      String name, int row, int place, @Nullable Object value) {
    return Collation.wrong(
        name,
        row,
        "has " + Collation.named(value) + " at " + place + ".",
        "Expected numbers or booleans.");
  }

  private static IllegalArgumentException unfit(String name, int row, String value, DType dtype) {
    return Collation.wrong(
        name,
        row,
        "has " + value + " but the column's type " + dtype + " cannot hold that exactly.",
        stateType(name));
  }

  private static String stateType(String name) {
    return "State a type that can with dtype(\"" + name + "\", ...).";
  }

  private static @Nullable DType typeOf(@Nullable Object value) {
    return value == null ? null : Elements.typeOf(value);
  }
}
