package dev.penstock.spi.model;

import dev.penstock.advice.Advice;
import dev.penstock.advice.Remedy;
import dev.penstock.internal.choice.ServiceLookup;
import dev.penstock.internal.choice.Services;
import dev.penstock.model.Model;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/// Opens models of files, by the formats that the calling thread finds: those on the class or
/// module path, and those of its context class loader.
///
/// **Threads.** Safe for any.
public final class InstalledModels {
  private static final ServiceLookup<ModelFormat> FORMATS =
      new ServiceLookup<>(ModelFormat.class, InstalledModels::names);

  /// The modules of frameworks by the endings of their files, for errors where one is absent.
  private static final Map<String, String> MODULES =
      Map.of(
          "onnx", "onnx",
          "ort", "onnx",
          "ubj", "xgboost",
          "xgb", "xgboost",
          "json", "xgboost",
          "pt", "djl",
          "pth", "djl");

  private InstalledModels() {}

  private static List<String> names(ModelFormat format) {
    return List.of(Services.given(format.name(), "name()"));
  }

  /// Opens a model.
  ///
  /// @param file a local file or folder
  /// @param threads how many threads will call [Model#run] at once, at least 1
  /// @return the model; the caller closes it
  /// @throws IOException if it cannot be read
  /// @throws IllegalArgumentException if no module here knows it; the message names the module that
  ///   does, if there is one
  public static Model open(Path file, int threads) throws IOException {
    if (threads < 1) {
      throw new IllegalArgumentException("threads must be at least 1, got " + threads + ".");
    }
    if (!Files.exists(file)) {
      throw new IOException("Cannot open the model '" + file + "': no such file or folder.");
    }
    Services<ModelFormat> formats = FORMATS.here();
    for (ModelFormat format : formats.all()) {
      if (format.isOf(file)) {
        return format.open(file, threads);
      }
    }
    throw unknown(file, formats);
  }

  private static IllegalArgumentException unknown(Path file, Services<ModelFormat> formats)
      throws IOException {
    String name = String.valueOf(file.getFileName());
    String ending = name.substring(name.lastIndexOf('.') + 1).toLowerCase(Locale.ROOT);
    String module = MODULES.get(ending);
    if (module != null && !isHere(module, formats)) {
      return Advice.argumentError(
          "Cannot open the model '%s': it needs a module that is not on the class path. %s%s",
          file, Remedy.module(module), formats.leftOut());
    }
    return Advice.argumentError(
        "Cannot open the model '%s': it is %s, expected a model of one of %s.%s",
        file,
        ModelFiles.found(file),
        formats.all().stream().map(ModelFormat::name).sorted().toList(),
        formats.leftOut());
  }

  private static boolean isHere(String module, Services<ModelFormat> formats) {
    return formats.all().stream()
        .anyMatch(format -> format.getClass().getName().startsWith(Services.OURS + module + "."));
  }
}
