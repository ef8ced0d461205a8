package dev.penstock.cli;

import dev.penstock.storage.Location;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.nio.file.AccessDeniedException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermission;
import java.util.Set;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Small files with secrets in them. No error shows what is in them.
///
/// A file that every user may read is warned of, not refused: containers mount secrets that way,
/// and some file systems show all files as such. Who cannot use a file writes the secret on the
/// command line, which is worse.
final class SecretFile {
  private static final Logger LOG = LoggerFactory.getLogger(SecretFile.class);
  private static final int BYTES_MAX = 1 << 16;

  private SecretFile() {}

  /// Returns the text of a file, which may be a pipe.
  ///
  /// @param option the option that names it, for errors
  /// @throws UsageException if it cannot be read, is not UTF-8, or is too long to be meant
  static String text(String option, Path file) {
    warnIfOpen(option, file);
    byte[] bytes;
    try (InputStream in = Files.newInputStream(file)) {
      bytes = in.readNBytes(BYTES_MAX + 1);
    } catch (IOException e) {
      throw refused(option, file, reason(e));
    }
    if (bytes.length > BYTES_MAX) {
      throw refused(option, file, "it has more than " + BYTES_MAX + " bytes");
    }
    try {
      return StandardCharsets.UTF_8.newDecoder().decode(ByteBuffer.wrap(bytes)).toString();
    } catch (CharacterCodingException e) {
      throw refused(option, file, "it is not text in UTF-8");
    }
  }

  /// Logs a warning if every user of the machine may read or change a file.
  static void warnIfOpen(String option, Path file) {
    try {
      Set<PosixFilePermission> rights = Files.getPosixFilePermissions(file);
      if (rights.contains(PosixFilePermission.OTHERS_READ)
          || rights.contains(PosixFilePermission.OTHERS_WRITE)) {
        LOG.warn(
            "Every user of this machine may read or change '{}' of {}. Allow it to its owner only:"
                + " chmod 600.",
            Location.of(file),
            option);
      }
    } catch (IOException | UnsupportedOperationException _) {
      // Whether it can be read is told where it is read; Windows has no such rights.
    }
  }

  private static String reason(IOException fault) {
    return switch (fault) {
      case NoSuchFileException _ -> "there is no such file";
      case AccessDeniedException _ -> "permission denied";
      default -> String.valueOf(fault.getMessage());
    };
  }

  private static UsageException refused(String option, Path file, String reason) {
    return new UsageException(
        "Cannot read '" + Location.of(file) + "' of " + option + ": " + reason + ".");
  }
}
