package dev.penstock.djl;

import dev.penstock.batch.DType;
import dev.penstock.model.ModelInput;
import dev.penstock.spi.model.ModelFiles;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.zip.ZipEntry;
import java.util.zip.ZipException;
import java.util.zip.ZipFile;

/// The inputs of a TorchScript model: the arguments of `forward`, in order.
///
/// DJL does not tell them, but a file of TorchScript is a zip archive of Python code.
final class ScriptInputs {
  /// The class of the whole model, which its pickled data names first: package and name.
  private static final Pattern MODEL = Pattern.compile("c(__torch__[\\w.]*)\n(\\w+)\n");

  private static final Pattern ARGUMENT = Pattern.compile("(\\w+): ([^=]+)(=?).*");

  private ScriptInputs() {}

  /// Returns the inputs, as `FLOAT32` of any number of columns, because the file does not say types
  /// and shapes.
  ///
  /// @throws IOException if it is not a TorchScript model
  static List<ModelInput> of(Path file) throws IOException {
    try (ZipFile archive = new ZipFile(file.toFile())) {
      ZipEntry data =
          archive.stream()
              .filter(entry -> entry.getName().matches("[^/]+/data\\.pkl"))
              .findFirst()
              .orElseThrow(() -> refused(file, "a zip archive without 'data.pkl'"));
      String top = data.getName().substring(0, data.getName().indexOf('/'));
      Matcher model = MODEL.matcher(text(archive, data));
      if (!model.find()) {
        throw refused(file, "what torch.save writes, values without code");
      }
      String path = top + "/code/" + model.group(1).replace('.', '/') + ".py";
      ZipEntry code = archive.getEntry(path);
      if (code == null) {
        throw refused(file, "a zip archive without '" + path + "'");
      }
      return inputs(file, model.group(2), text(archive, code));
    } catch (ZipException e) {
      throw refused(file, ModelFiles.found(file));
    }
  }

  private static String text(ZipFile archive, ZipEntry entry) throws IOException {
    return new String(archive.getInputStream(entry).readAllBytes(), StandardCharsets.ISO_8859_1);
  }

  private static List<ModelInput> inputs(Path file, String name, String code) throws IOException {
    Matcher forward =
        Pattern.compile(
                "^class " + name + "\\(Module\\):.*?^  def forward\\(self[^,)]*(.*?)\\) ->",
                Pattern.MULTILINE | Pattern.DOTALL)
            .matcher(code);
    if (!forward.find()) {
      throw refused(file, "a model whose class " + name + " has no method 'forward'");
    }
    List<ModelInput> inputs = new ArrayList<>();
    for (String each : forward.group(1).replaceFirst(",?\\s*", "").split(",\n\\s*", -1)) {
      Matcher argument = ARGUMENT.matcher(each);
      if (!argument.matches() || !argument.group(3).isEmpty()) {
        break; // no arguments, or those with defaults, which are the last ones
      }
      if (!argument.group(2).equals("Tensor")) {
        throw refused(file, "a model that takes '" + each + "'");
      }
      inputs.add(new ModelInput(argument.group(1), DType.FLOAT32, List.of(-1L, -1L), List.of()));
    }
    return inputs;
  }

  private static IOException refused(Path file, String found) {
    return new IOException(
        ("Cannot open '%s' as a TorchScript model: it is %s but expected a model of tensors, as"
                + " torch.jit.script(module).save(\"model.pt\") writes it.")
            .formatted(file, found));
  }
}
