package dev.penstock.internal.text;

import dev.penstock.spi.format.AheadFile;
import dev.penstock.spi.format.ByteRange;
import dev.penstock.spi.storage.StorageFile;
import java.util.List;

/// Announces the bytes that are read to learn what is in a text file: its start for a sample, and
/// all of it to count its records.
public final class TextAhead {
  /// Most samples take less.
  private static final long SAMPLE_BYTES = 4 << 20;

  private TextAhead() {}

  /// Announces the bytes of a file that was not read yet.
  public static void begin(StorageFile file) {
    ByteRange sample = new ByteRange(0, Math.min(SAMPLE_BYTES, file.size()));
    AheadFile.expect(file, List.of(sample, new ByteRange(0, file.size())));
  }

  /// Announces that the bytes of a sample, which a buffer was at, will be read again, if that was
  /// not foreseen.
  public static void again(StorageFile file, TextBuffer sample) {
    if (sample.fileBytes() > SAMPLE_BYTES) {
      AheadFile.expect(file, List.of(new ByteRange(0, sample.fileBytes())));
    }
  }
}
