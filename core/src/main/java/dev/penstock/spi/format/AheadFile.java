package dev.penstock.spi.format;

import dev.penstock.spi.storage.StorageFile;
import java.util.List;

/// An open file whose bytes are fetched before they are read, from a store behind a network.
///
/// A format that knows what it is about to read says so by [#expect(StorageFile, List)], and then
/// reads as it always does: what was expected comes with few requests, many at once. So no format
/// need know what is behind a file.
///
/// **Threads.** As [StorageFile].
public interface AheadFile extends StorageFile {
  /// Says which bytes will be read soon. A hint: others may be read as well, and not all need be.
  ///
  /// Parts of a range that was expected as a whole before, and of which nothing was read, take its
  /// place: so the streams of a stripe, which are read side by side, once its footer says where
  /// they are.
  ///
  /// @param ranges each is read from its start to its end, or parts of it in that order; bytes that
  ///   are read twice are in two of them
  void expect(List<ByteRange> ranges);

  /// Says which bytes of a file will be read soon, as [#expect(List)], where that matters.
  ///
  /// @param file any open file
  /// @param ranges as in [#expect(List)]
  static void expect(StorageFile file, List<ByteRange> ranges) {
    if (file instanceof AheadFile ahead) {
      ahead.expect(ranges);
    }
  }
}
