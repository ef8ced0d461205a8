package dev.penstock.spi.storage;

import dev.penstock.internal.choice.Sentence;
import dev.penstock.storage.StorageException;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/// What a store states about the bytes that it sends.
///
/// @param offset the first byte, counted from 0 in the file
/// @param length how many bytes come, or -1 if not stated
/// @param fileBytes the size of the file, or -1 if not stated
public record ServedRange(long offset, long length, long fileBytes) {
  /// The largest file, in bytes, that is read from a server without ranges: each read also
  /// downloads everything before the wanted bytes.
  public static final long WHOLE_BYTES_MAX = 16 << 20;

  private static final Pattern CONTENT_RANGE =
      Pattern.compile("bytes ([0-9]{1,18})-([0-9]{1,18})/([0-9]{1,18}|\\*)");

  /// {@return the range of an answer, by its status and headers}
  ///
  /// @param status 206 for a part of the file, 200 for all of it
  /// @param contentRange the header `Content-Range`
  /// @param contentLength the header `Content-Length`, or -1
  /// @throws StorageException if the headers of a part are missing or invalid
  public static ServedRange of(int status, Optional<String> contentRange, long contentLength)
      throws StorageException {
    if (status != 206) {
      return new ServedRange(0, contentLength, contentLength);
    }
    Matcher matcher = CONTENT_RANGE.matcher(contentRange.orElse("").trim());
    if (matcher.matches()) {
      long first = Long.parseLong(matcher.group(1));
      long last = Long.parseLong(matcher.group(2));
      long fileBytes = matcher.group(3).equals("*") ? -1 : Long.parseLong(matcher.group(3));
      if (first <= last && (fileBytes < 0 || last < fileBytes)) {
        return new ServedRange(first, last - first + 1, fileBytes);
      }
    }
    throw new StorageException(
        StorageException.Kind.REFUSED,
        "the store sends a part without saying which (Content-Range is '"
            + contentRange.orElse("")
            + "'). Read the files from another server, or copy them.",
        null);
  }

  /// Checks that it is the requested range, or all of a small file.
  ///
  /// @param wantedOffset the first requested byte
  /// @param wantedLength the number of requested bytes
  /// @param size the size of the file as it was planned
  /// @return how many bytes come before the requested ones
  /// @throws StorageException if it is not
  long require(long wantedOffset, long wantedLength, long size) throws StorageException {
    boolean all = offset == 0 && isUnsaidOr(length, size) && isUnsaidOr(fileBytes, size);
    if (all && wantedLength < size) {
      if (size > WHOLE_BYTES_MAX) {
        throw new StorageException(
            StorageException.Kind.REFUSED,
            Sentence.of(
                "the store ignores ranges: it sends the whole file, of %s bytes but at most %s are"
                    + " read that way. Read the files from a server that answers ranges (206), or"
                    + " copy them.",
                size, WHOLE_BYTES_MAX),
            null);
      }
      return wantedOffset;
    }
    if (fileBytes >= 0 && fileBytes != size) {
      throw new StorageException(
          StorageException.Kind.CHANGED,
          Sentence.of(
              "the file has %s bytes but had %s when the dataset was planned. Make a new dataset"
                  + " to read the changed file.",
              fileBytes, size),
          null);
    }
    if (offset != wantedOffset || (length >= 0 && length != wantedLength)) {
      // The next answer of a faulty server or proxy may be right.
      throw new StorageException(
          StorageException.Kind.UNAVAILABLE,
          Sentence.of(
              "the store sends bytes %s but bytes [%s, %s) were asked for. Check the server and what"
                  + " is between.",
              length < 0 ? "from " + offset : "[" + offset + ", " + (offset + length) + ")",
              wantedOffset,
              wantedOffset + wantedLength),
          null);
    }
    return 0;
  }

  private static boolean isUnsaidOr(long bytes, long size) {
    return bytes < 0 || bytes == size;
  }
}
