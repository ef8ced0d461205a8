package dev.penstock.model;

import dev.penstock.batch.Batch;
import java.util.List;
import java.util.Map;

/// A function from batches to columns: a trained model, a rule, a service. It can be a lambda.
///
/// **Threads.** [#run] is called by several threads at once, each with its own batch.
@FunctionalInterface
public interface Model extends AutoCloseable {
  /// Computes the outputs of a batch.
  ///
  /// @param batch a column for each of [#inputs()], under the input's name; if there are none, what
  ///   the dataset has. The caller closes it after this call
  /// @return the outputs in order, each with a value for each row: a [dev.penstock.batch.Tensor] of
  ///   shape `[rows]`, `[rows, 1]` or `[rows, n]`, or a list of texts. The tensors' memory is read
  ///   before the next call by the same thread and may be that of the batch. Names, types and n
  ///   must be those of the first batch
  /// @throws Exception any; the caller says which rows it was
  Map<String, Object> run(Batch batch) throws Exception;

  /// {@return what it reads of a batch, in order; empty, the default, if it does not say} The same
  /// each time.
  default List<ModelInput> inputs() {
    return List.of();
  }

  /// {@return what tells this model from another: for a file the SHA-256 of its bytes as
  /// hexadecimal digits; empty, the default, if nothing does}
  default String version() {
    return "";
  }

  /// Frees what it has; does nothing by default. Called when no [#run] is in progress.
  @Override
  default void close() {}
}
