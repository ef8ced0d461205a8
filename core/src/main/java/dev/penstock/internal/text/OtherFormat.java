package dev.penstock.internal.text;

import dev.penstock.advice.Advice;
import dev.penstock.advice.Remedy;
import dev.penstock.format.MalformedFileException;
import dev.penstock.spi.storage.StorageFile;
import java.nio.charset.StandardCharsets;
import java.util.Locale;

/// Formats that are not text, by the first bytes of their files, which may be named as text.
enum OtherFormat {
  PARQUET("a Parquet", "PAR1"),
  ORC("an ORC", "ORC"),
  AVRO("an Avro", "Obj"),
  ARROW("an Arrow", "ARROW1");

  private final String title;
  private final String magic;

  OtherFormat(String title, String magic) {
    this.title = title;
    this.magic = magic;
  }

  /// Throws if the first bytes are those of another format: its letters, and a byte near them that
  /// no text has.
  static void refuse(StorageFile file, byte[] head) throws MalformedFileException {
    String text = new String(head, StandardCharsets.ISO_8859_1);
    for (OtherFormat each : values()) {
      if (text.startsWith(each.magic)
          && text.chars().anyMatch(c -> c < ' ' && c != '\t' && c != '\n' && c != '\r')) {
        String name = each.name().toLowerCase(Locale.ROOT);
        throw new MalformedFileException(
            file.location(),
            0,
            "",
            Advice.of(
                "Unsupported text: this is %s file. Rename it to end with '.%s', or name the file"
                    + " itself and add %s.",
                each.title, name, Remedy.of("format", name, "format(\"" + name + "\")")),
            null);
      }
    }
  }
}
