package dev.penstock.spi.model;

import dev.penstock.internal.choice.Sentence;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.DigestInputStream;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.Locale;
import java.util.stream.Stream;

/// What every [ModelFormat] needs to know of a file.
public final class ModelFiles {
  private static final int SHOWN = 12; // bytes

  private ModelFiles() {}

  /// {@return whether it is a file, not a folder, whose name ends so}
  ///
  /// @param file the file
  /// @param endings endings in lower case, as `.onnx`; the case of the name does not matter
  public static boolean isNamed(Path file, String... endings) {
    String name = String.valueOf(file.getFileName()).toLowerCase(Locale.ROOT);
    return Arrays.stream(endings).anyMatch(name::endsWith) && Files.isRegularFile(file);
  }

  /// {@return the first bytes of a file; fewer if it has no more}
  ///
  /// @param file the file
  /// @param count how many
  /// @throws IOException if it cannot be read
  public static byte[] beginning(Path file, int count) throws IOException {
    try (InputStream in = Files.newInputStream(file)) {
      return in.readNBytes(count);
    }
  }

  /// {@return what a file is, for the message of an error, as `a zip archive` or `8 bytes that
  /// begin with 0x0001`}
  ///
  /// @param file the file or folder
  /// @throws IOException if it cannot be read
  public static String found(Path file) throws IOException {
    if (Files.isDirectory(file)) {
      return "a folder";
    }
    String begin = new String(beginning(file, 64), StandardCharsets.ISO_8859_1);
    if (begin.isEmpty()) {
      return "an empty file";
    }
    if (begin.startsWith("version https://git-lfs")) {
      return "a pointer of Git LFS ('git lfs pull' fetches the file)";
    }
    if (begin.startsWith("PK\3\4")) {
      return "a zip archive";
    }
    String shown = begin.substring(0, Math.min(SHOWN, begin.length()));
    if (shown.chars().allMatch(c -> (c >= ' ' && c <= '~') || Character.isWhitespace(c))) {
      return "text that begins with '" + shown.replaceAll("\\s+", " ") + "'";
    }
    return Sentence.of(
        "%s bytes that begin with 0x%s",
        Files.size(file), HexFormat.of().formatHex(shown.getBytes(StandardCharsets.ISO_8859_1)));
  }

  /// {@return the SHA-256 of a file's bytes, as hexadecimal digits; of a folder that of the names
  /// and bytes of all files in it}
  ///
  /// @param file the file or folder
  /// @throws IOException if it cannot be read
  public static String sha256(Path file) throws IOException {
    MessageDigest digest = digest();
    if (Files.isDirectory(file)) {
      for (Path each : filesIn(file)) {
        String name = file.relativize(each).toString().replace('\\', '/');
        digest.update((name + "\0" + Files.size(each) + "\0").getBytes(StandardCharsets.UTF_8));
        update(digest, each);
      }
    } else {
      update(digest, file);
    }
    return HexFormat.of().formatHex(digest.digest());
  }

  private static List<Path> filesIn(Path folder) throws IOException {
    try (Stream<Path> files = Files.walk(folder)) {
      return files.filter(Files::isRegularFile).sorted().toList();
    }
  }

  private static void update(MessageDigest digest, Path file) throws IOException {
    try (InputStream in = new DigestInputStream(Files.newInputStream(file), digest)) {
      byte[] buffer = new byte[1 << 16];
      while (in.read(buffer) >= 0) {
        // read only for the digest
      }
    }
  }

  private static MessageDigest digest() {
    try {
      return MessageDigest.getInstance("SHA-256");
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("Each Java has SHA-256.", e);
    }
  }
}
