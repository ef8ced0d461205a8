package dev.penstock.batch;

/// The columns of one batch, in the form of the module that implements an [OutputFormat].
///
/// Made by a [dev.penstock.spi.batch.BatchForm]; users read them through their [Batch].
///
/// **Threads.** Any thread may call [#close()], also while another reads.
public interface HeldColumns extends AutoCloseable {
  /// {@return a column in the module's form; valid until [#close()]}
  ///
  /// @param name one of the batch's columns
  /// @throws IllegalStateException if the columns are closed
  Object column(String name);

  /// Gives the memory back, as soon as nothing refers to it. Called once, when the batch is closed.
  @Override
  void close();
}
