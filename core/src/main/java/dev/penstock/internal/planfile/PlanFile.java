package dev.penstock.internal.planfile;

import dev.penstock.internal.table.Discovery;
import dev.penstock.internal.table.FileSchema;
import dev.penstock.spi.storage.FileEntry;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.time.Instant;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;

/// A plan: what planning found of a table's files, but for their footers.
///
/// Immutable; share it freely among threads.
///
/// @param hash 32 hexadecimal digits that follow from the origin and the listed files, see [#hash]
/// @param schemas the different ones that files have
/// @param files in path order
public record PlanFile(
    String hash, PlanOrigin origin, List<FileSchema> schemas, List<PlannedFile> files) {
  private static final int HASH_BYTES = 16;

  public PlanFile {
    schemas = List.copyOf(schemas);
    files = List.copyOf(files);
  }

  /// Returns the hash of a plan that is made of the listed files, which are in path order: whoever
  /// lists the same files finds their plan by it without reading a footer, and whatever details it
  /// has.
  public static String hash(PlanOrigin origin, List<FileEntry> listed) {
    Digest digest = new Digest();
    digest.add("penstock-plan " + PlanIndex.VERSION);
    digest.add(origin.locations());
    digest.add(origin.table());
    digest.add(origin.format());
    digest.add(origin.formatOptions());
    digest.add(origin.rules());
    for (FileEntry file : listed) {
      digest.add(file.location().text());
      digest.add(Long.toString(file.bytes()));
      // Stores that do not list versions list times.
      digest.add(
          file.version().isEmpty()
              ? file.modified().map(Instant::toString).orElse("")
              : file.version());
    }
    return digest.text();
  }

  /// Returns the name of the file for the plan with a hash, in a folder of plans.
  public static String name(String hash) {
    return "plan-" + hash + Discovery.PLAN_EXTENSION;
  }

  /// SHA-256 of texts with their lengths.
  private static final class Digest {
    private final MessageDigest digest;

    Digest() {
      try {
        digest = MessageDigest.getInstance("SHA-256");
      } catch (NoSuchAlgorithmException e) {
        throw new IllegalStateException("Each Java has SHA-256.", e);
      }
    }

    void add(String text) {
      byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
      add(bytes.length);
      digest.update(bytes);
    }

    void add(List<String> texts) {
      add(texts.size());
      texts.forEach(this::add);
    }

    void add(Map<String, String> sorted) {
      add(sorted.size());
      sorted.forEach((key, value) -> {
        add(key);
        add(value);
      });
    }

    private void add(int number) {
      digest.update(ByteBuffer.allocate(Integer.BYTES).putInt(0, number));
    }

    String text() {
      return HexFormat.of().formatHex(digest.digest(), 0, HASH_BYTES);
    }
  }
}
