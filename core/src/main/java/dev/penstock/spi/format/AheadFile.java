package dev.penstock.spi.format;

import dev.penstock.spi.storage.StorageFile;
import java.util.List;

/// An open file in a network store, whose bytes are fetched before they are read.
///
/// A format that knows what it will read calls [#expect(StorageFile, List)] and then reads as
/// usual: the expected bytes come in few requests, many at once. So formats need not know which
/// store a file is in.
///
/// **Threads.** As [StorageFile].
public interface AheadFile extends StorageFile {
  /// Announces bytes that will be read soon. A hint: other bytes may be read too, and not all need
  /// be.
  ///
  /// If parts of an earlier range are announced and nothing of that range was read, the parts
  /// replace it. Example: the streams of a stripe, which are read side by side, once its footer
  /// gives their positions.
  ///
  /// @param ranges each is read from start to end, or in parts in that order; bytes that are read
  ///   twice are in two ranges
  void expect(List<ByteRange> ranges);

  /// Announces bytes of a file that will be read soon, as [#expect(List)]; does nothing for other
  /// files.
  ///
  /// @param file any open file
  /// @param ranges as in [#expect(List)]
  static void expect(StorageFile file, List<ByteRange> ranges) {
    if (file instanceof AheadFile ahead) {
      ahead.expect(ranges);
    }
  }
}
