package dev.penstock.iceberg.internal.fields;

import dev.penstock.spi.catalog.Installed;
import dev.penstock.spi.format.FileFormat;
import java.util.Locale;
import java.util.Map;
import org.apache.iceberg.ContentFile;

/// Finds the formats of a table's data and delete files.
public final class StoredFormat {
  private StoredFormat() {}

  /// Returns the format of a file. Iceberg's ORC writer and reader use the Gregorian calendar
  /// throughout, although the files state Julian dates before 1582.
  public static FileFormat of(ContentFile<?> file) {
    String name = file.format().name().toLowerCase(Locale.ROOT);
    FileFormat format = Installed.format(name);
    return name.equals("orc") ? format.withOptions(Map.of("calendar", "proleptic")) : format;
  }
}
