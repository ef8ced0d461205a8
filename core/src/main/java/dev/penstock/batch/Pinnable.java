package dev.penstock.batch;

/// Your own kind of batch, if it can be pinned: torch's `pin_memory()`.
///
/// On a machine with a GPU, a loader with `pinMemory(true)` calls [#pinMemory()] in the worker on
/// the result of `collate` or a collator, and delivers what it returns. It also looks into maps,
/// lists, arrays and records, in any depth. What holds a replaced part is copied: a `Map` to a
/// `LinkedHashMap` or, if it is sorted, a `TreeMap`, a `List` to an `ArrayList`, a record by its
/// constructor. A [Batch] is already pinned, wherever it lies in the result; this is for types that
/// hold their own memory, see `PinnedMemory`.
///
/// @param <T> the type itself
public interface Pinnable<T extends Pinnable<T>> {
  /// Pins the memory.
  ///
  /// @return the object to deliver: this, or a replacement
  T pinMemory();
}
