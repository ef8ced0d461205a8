package dev.penstock.batch;

import java.lang.foreign.MemorySegment;
import java.lang.reflect.Array;
import org.jspecify.annotations.Nullable;

/// Arrays of numbers or booleans, of one dimension or several, as tensors.
final class PrimitiveArrays {
  private PrimitiveArrays() {}

  /// Returns whether a value is such an array. Arrays of `byte[]` are not: those are binaries.
  static boolean isOne(Object value) {
    Class<?> element = value.getClass().getComponentType();
    if (element == null) {
      return false;
    }
    boolean nested = element.isArray();
    Class<?> innermost = innermost(element);
    return innermost.isPrimitive()
        && innermost != char.class
        && !(nested && innermost == byte.class);
  }

  private static Class<?> innermost(Class<?> type) {
    Class<?> innermost = type;
    for (Class<?> next = type; next != null; next = next.getComponentType()) {
      innermost = next;
    }
    return innermost;
  }

  /// Returns a tensor over an array of one dimension, a copy of an array of several, or a tensor
  /// itself; null for everything else, and for arrays whose parts differ in length.
  static @Nullable Tensor asTensor(Object value) {
    return switch (value) {
      case Tensor tensor -> tensor;
      case float[] array -> Tensor.of(array);
      case double[] array -> Tensor.of(array);
      case long[] array -> Tensor.of(array);
      case int[] array -> Tensor.of(array);
      case short[] array -> Tensor.of(array);
      case byte[] array -> Tensor.of(array);
      case boolean[] array -> Tensor.of(array);
      case Object[] arrays when isOne(arrays) ->
          arrays.length == 0 ? empty(arrays.getClass()) : joined(arrays);
      default -> null;
    };
  }

  private static @Nullable Tensor empty(Class<?> type) {
    int rank = 0;
    for (Class<?> next = type; next.isArray(); next = next.getComponentType()) {
      rank++;
    }
    Tensor elements = asTensor(Array.newInstance(innermost(type), 0));
    return elements == null ? null : elements.shaped(Shape.of(new long[rank]));
  }

  private static @Nullable Tensor joined(@Nullable Object[] arrays) {
    Tensor[] parts = new Tensor[arrays.length];
    for (int i = 0; i < parts.length; i++) {
      Object array = arrays[i];
      Tensor part = array == null ? null : asTensor(array);
      if (part == null || (i > 0 && !part.shape().equals(parts[0].shape()))) {
        return null;
      }
      parts[i] = part;
    }
    long bytes = parts[0].memory().byteSize();
    byte[] all = new byte[Math.toIntExact(bytes * parts.length)];
    MemorySegment memory = MemorySegment.ofArray(all);
    for (int i = 0; i < parts.length; i++) {
      MemorySegment.copy(parts[i].memory(), 0, memory, i * bytes, bytes);
    }
    return Tensor.of(parts[0].dtype(), parts[0].shape().under(parts.length), memory);
  }
}
