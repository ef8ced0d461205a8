package dev.penstock.batch;

/// Makes what is delivered of a row, where rows are delivered one by one: torch's `collate_fn` with
/// `batch_size=None`.
///
/// **Threads.** Called by several workers at once.
///
/// @param <T> what a row is
/// @param <C> what it makes
@FunctionalInterface
public interface RowFunction<T, C> {
  /// {@return what to deliver, not null}
  ///
  /// @param row as the dataset gave it, also null
  /// @throws Exception if nothing can be made of the row
  C apply(T row) throws Exception;
}
