package dev.penstock.internal.table;

import dev.penstock.advice.Advice;
import dev.penstock.advice.Remedy;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;

/// The formats that are in modules of their own, so that an error for a missing module can name the
/// dependency to add.
enum ModuleFormats {
  ARROW("Arrow", "ARROW1", "arrow,arrows,feather,ipc"),
  AVRO("Avro", "Obj\u0001", "avro"),
  ORC("ORC", "ORC", "orc");
  static final int MAGIC_BYTES = 6; // the most bytes needed to detect a format
  private final String label;
  private final String magic;
  private final String extensions; // the first is the module's name

  ModuleFormats(String label, String magic, String extensions) {
    this.label = label;
    this.magic = magic;
    this.extensions = extensions;
  }

  static Optional<ModuleFormats> byExtension(String extension) {
    return Arrays.stream(values())
        .filter(format -> List.of(format.extensions.split(",", -1)).contains(extension))
        .findFirst();
  }

  /// Detects a format by the first [#MAGIC_BYTES] bytes of a file, fewer if it is shorter.
  static Optional<ModuleFormats> byMagic(byte[] head) {
    String text = new String(head, StandardCharsets.ISO_8859_1);
    return Arrays.stream(values()).filter(format -> text.startsWith(format.magic)).findFirst();
  }

  static Optional<ModuleFormats> byName(String name) {
    return byExtension(name).filter(format -> format.module().equals(name));
  }

  private String module() {
    return extensions.split(",", -1)[0];
  }

  /// Returns why something, such as `'a.orc'`, cannot be used, and what to do.
  Advice absent(String what) {
    return Advice.of(
        "Cannot read %s: %s files need a module that is not on the class path. %s",
        what, label, Remedy.module(module()));
  }
}
