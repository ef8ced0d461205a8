package dev.penstock.internal.text;

import dev.penstock.spi.format.AheadFile;
import dev.penstock.spi.format.ByteRange;
import dev.penstock.spi.storage.StorageFile;
import java.util.List;

/// Says what is read of a file of text to learn what is in it: some of its start for a sample, and
/// all of it to count its records.
public final class TextAhead {
  /// Most samples take less.
  private static final long SAMPLE_BYTES = 4 << 20;

  private TextAhead() {}

  /// Says what will be read.
  ///
  /// @param file the file; nothing of it was read
  public static void begin(StorageFile file) {
    ByteRange sample = new ByteRange(0, Math.min(SAMPLE_BYTES, file.size()));
    AheadFile.expect(file, List.of(sample, new ByteRange(0, file.size())));
  }

  /// Says that what a sample took will be read again, where that was not foreseen.
  ///
  /// @param file the file
  /// @param sample where the sample was taken from
  public static void again(StorageFile file, TextBuffer sample) {
    if (sample.fileBytes() > SAMPLE_BYTES) {
      AheadFile.expect(file, List.of(new ByteRange(0, sample.fileBytes())));
    }
  }
}
