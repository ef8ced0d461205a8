package dev.penstock.iceberg.internal.fields;

import dev.penstock.spi.catalog.Installed;
import dev.penstock.spi.format.FileFormat;
import java.util.Locale;
import java.util.Map;
import org.apache.iceberg.ContentFile;

/// Finds what reads the data and delete files of tables.
public final class StoredFormat {
  private StoredFormat() {}

  /// Returns the format of a file. Iceberg's writer of ORC counts days in the Gregorian calendar
  /// throughout, and its reader takes them so, but what the file says is Julian before 1582.
  public static FileFormat of(ContentFile<?> file) {
    String name = file.format().name().toLowerCase(Locale.ROOT);
    FileFormat format = Installed.format(name);
    return name.equals("orc") ? format.withOptions(Map.of("calendar", "proleptic")) : format;
  }
}
