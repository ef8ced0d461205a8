package dev.penstock.spi.model;

import dev.penstock.model.Model;
import java.io.IOException;
import java.nio.file.Path;

/// The files of a framework's models. Found by `ServiceLoader`.
///
/// **Threads.** Called by one at a time.
public interface ModelFormat {
  /// {@return the framework, for messages, as `ONNX`}
  String name();

  /// {@return whether a file or folder is such a model, by its name and how it begins}
  ///
  /// @param file an existing file or folder
  /// @throws IOException if it cannot be read
  boolean isOf(Path file) throws IOException;

  /// Opens a model.
  ///
  /// @param file an existing file or folder
  /// @param threads how many threads will call [Model#run] at once; a framework with threads of its
  ///   own takes at most the processors divided by this, at least one, for each
  /// @return the model; the caller closes it
  /// @throws IOException if it cannot be read, or is not such a model; the message names it and
  ///   says what to do
  Model open(Path file, int threads) throws IOException;
}
