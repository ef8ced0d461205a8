package dev.penstock.internal.checked;

import dev.penstock.internal.choice.Sentence;
import dev.penstock.spi.storage.FetchAdvice;
import dev.penstock.spi.storage.StorageFile;
import dev.penstock.storage.Location;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.util.Optional;
import java.util.function.LongConsumer;

/// An open file in a checked store.
final class CheckedFile implements StorageFile {
  private final StorageFile file;
  private final Contract contract;
  private final Location location;
  private final long size;
  private final String version;

  CheckedFile(StorageFile file, Contract contract) {
    this.file = file;
    this.contract = contract;
    this.location = contract.given(file.location(), "location()");
    this.size = file.size();
    this.version = contract.given(file.version(), "version()");
    if (size < 0) {
      throw contract.broken("", "returned " + size + " from size()");
    }
  }

  @Override
  public Location location() {
    return location;
  }

  @Override
  public long size() {
    return size;
  }

  @Override
  public String version() {
    return version;
  }

  @Override
  public long read(long offset, MemorySegment target) throws IOException {
    return whole(offset, target, file.read(offset, target));
  }

  @Override
  public long read(long offset, MemorySegment target, LongConsumer arrived) throws IOException {
    LongConsumer checking =
        new LongConsumer() {
          private long before;

          @Override
          public void accept(long done) {
            if (done < before || done > target.byteSize()) {
              throw contract.broken(
                  range(offset, target),
                  "reported " + done + " bytes behind " + before + " that it had read");
            }
            before = done;
            arrived.accept(done);
          }
        };
    return whole(offset, target, file.read(offset, target, checking));
  }

  private static String range(long offset, MemorySegment target) {
    return "bytes [" + offset + ", " + (offset + target.byteSize()) + ")";
  }

  /// Throws unless all bytes of a target were filled.
  private long whole(long offset, MemorySegment target, long filled) throws IOException {
    long wanted = target.byteSize();
    if (filled < 0 || filled > wanted) {
      throw contract.broken(
          range(offset, target),
          "returned " + filled + " from read() but expected a number in [0, " + wanted + "]");
    }
    if (filled < wanted) {
      throw new IOException(
          Sentence.of(
              "Cannot read %s of '%s': %s filled %s of %s bytes. Either the file was cut or"
                  + " replaced while it was read; then start the epoch again. Or the class does not"
                  + " fill all of the target, as it has to.",
              range(offset, target), location, contract.type(), filled, wanted));
    }
    return filled;
  }

  @Override
  public Optional<FetchAdvice> advice() {
    return contract.given(file.advice(), "advice()");
  }

  @Override
  public long retries() {
    return file.retries();
  }

  @Override
  public void close() throws IOException {
    contract.call(
        "close()",
        () -> {
          file.close();
          return this;
        });
  }
}
