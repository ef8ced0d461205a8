package dev.penstock.s3;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.penstock.spi.storage.StorageFile;
import dev.penstock.spi.storage.StorageOptions;
import dev.penstock.storage.StorageException;
import dev.penstock.testing.StoreServer;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Against S3Proxy.
@Tag("outer")
class S3StorageTest extends S3Contract {
  @TempDir static Path folder;
  private final List<Path> roots = new ArrayList<>();

  @Override
  protected StoreServer start() throws IOException {
    Path root = Files.createTempDirectory(folder, "s3proxy");
    roots.add(root);
    return new S3Server(root);
  }

  @Override
  protected StorageOptions options(int port) {
    return S3Server.options(port);
  }

  @Test
  void publicFilesNeedNoCredentials() throws IOException {
    StorageOptions anonymous =
        StorageOptions.NONE
            .with("endpoint", "http://127.0.0.1:" + server().port())
            .with("anonymous", "true");
    Path open = Files.createDirectories(roots.getFirst().resolve("open"));
    Files.write(open.resolve("x"), new byte[5]);
    assertThat(read(store(anonymous).open(at("open/x")), 0, 5)).isEqualTo(new byte[5]);
    assertSays(anonymous, "lake/a/data.bin", "access is denied (403 AccessDenied). Check the cred");
  }

  /// Of files that came there by themselves the server tells no tag.
  @Test
  void fileOfAnotherTimeIsAChangedFile() throws IOException {
    Path changing = roots.getFirst().resolve("lake/by-itself");
    Files.write(changing, new byte[100]);
    StorageFile file = store(options()).open(at("lake/by-itself"));
    assertThat(file.version()).startsWith("modified ");
    Files.setLastModifiedTime(changing, FileTime.fromMillis(1_000_000_000_000L));
    assertThatThrownBy(() -> read(file, 0, 10))
        .isInstanceOf(StorageException.class)
        .hasMessageStartingWith("Cannot read bytes [0, 10) of 's3://lake/by-itself': it")
        .hasMessageContaining("Make a new dataset");
    Files.delete(changing);
    assertThatThrownBy(() -> read(file, 0, 10)).hasMessageContaining("it is gone (404 NoSuchKey)");
  }
}
