package dev.penstock.iceberg.internal.files;

import dev.penstock.spi.format.FilePlace;
import dev.penstock.storage.Location;
import java.io.IOException;
import org.apache.iceberg.ManifestFile;
import org.apache.iceberg.io.InputFile;
import org.apache.iceberg.io.SeekableInputStream;
import org.jspecify.annotations.Nullable;

/// A metadata file of a table that must not be truncated.
///
/// An Avro file must end with a complete block, and a manifest must match the manifest list. Its
/// schema is bounded.
public record WholeFile(InputFile file, StatedSize stated) implements InputFile {
  public static InputFile of(InputFile file) {
    return new WholeFile(file, StatedSize.UNKNOWN);
  }

  public static InputFile of(InputFile file, ManifestFile manifest) {
    return new WholeFile(file, StatedSize.of(manifest));
  }

  @Override
  public long getLength() {
    return file.getLength();
  }

  @Override
  public SeekableInputStream newStream() {
    return new Stream(GzipMetadata.bounded(file.newStream(), location()));
  }

  @Override
  public String location() {
    return file.location();
  }

  @Override
  public boolean exists() {
    return file.exists();
  }

  private void requireReadable(byte @Nullable [] schema) throws IOException {
    String refusal =
        schema == null
            ? "its schema is longer than " + (AvroSchemas.BYTES_MAX >> 20) + " MiB"
            : AvroSchemas.refusal(schema);
    if (refusal != null) {
      throw new FilePlace(new Location(file.location()), "header")
          .fail(
              "Corrupt Iceberg metadata: %s. Restore the file, or read an older snapshot."
                  .formatted(refusal));
    }
  }

  private void requireWhole(AvroBlocks blocks, long size) throws IOException {
    String found = null;
    if (!blocks.mayEnd()) {
      found = "it ends within a block";
    } else if (blocks.rows() >= 0 && stated.isMoreThan(size, blocks.rows())) {
      found = stated.sentence(size, blocks.rows());
    }
    if (found != null) {
      throw new FilePlace(new Location(file.location()), "")
          .fail(
              size,
              "Truncated Iceberg metadata: %s. Restore the file, or read an older snapshot."
                  .formatted(found));
    }
  }

  /// Checks the bytes as they are read, and at the end also those that were skipped.
  private final class Stream extends SeekableInputStream {
    private final SeekableInputStream in;
    private final AvroBlocks blocks = new AvroBlocks(WholeFile.this::requireReadable);
    private final byte[] one = new byte[1];
    private long seen; // the bytes before it were checked

    Stream(SeekableInputStream in) {
      this.in = in;
    }

    @Override
    public long getPos() throws IOException {
      return in.getPos();
    }

    @Override
    public void seek(long position) throws IOException {
      in.seek(position);
    }

    @Override
    public int available() throws IOException {
      return in.available();
    }

    @Override
    public int read() throws IOException {
      return read(one, 0, 1) < 0 ? -1 : one[0] & 0xff;
    }

    @Override
    public int read(byte[] target, int offset, int length) throws IOException {
      long at = in.getPos();
      int count = in.read(target, offset, length);
      if (count > 0) {
        look(target, offset, at, count);
      } else if (count < 0) {
        end(at);
      }
      return count;
    }

    private void look(byte[] bytes, int offset, long at, int count) throws IOException {
      if (at <= seen && at + count > seen) {
        blocks.take(bytes, offset + (int) (seen - at), offset + count);
        seen = at + count;
      }
    }

    private void end(long size) throws IOException {
      if (seen < size) {
        byte[] piece = new byte[8192];
        in.seek(seen);
        for (int count = in.read(piece); count > 0; count = in.read(piece)) {
          look(piece, 0, seen, count);
        }
      }
      requireWhole(blocks, seen);
    }

    @Override
    public void close() throws IOException {
      in.close();
    }
  }
}
