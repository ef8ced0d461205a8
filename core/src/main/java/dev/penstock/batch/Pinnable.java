package dev.penstock.batch;

/// A batch of your own making that can be pinned: torch's `pin_memory()`.
///
/// A loader with `pinMemory(true)`, on a machine with a GPU, calls [#pinMemory()] on what `collate`
/// or a collator gave, in the worker, and delivers what it returns. A [Batch] is pinned already;
/// this is for types that hold memory of their own, see `PinnedMemory`.
///
/// @param <T> the type itself
public interface Pinnable<T extends Pinnable<T>> {
  /// Pins the memory.
  ///
  /// @return what is delivered: this, or another that takes its place
  T pinMemory();
}
