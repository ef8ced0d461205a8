package dev.penstock.azure;

import com.azure.core.util.BinaryData;
import com.azure.storage.blob.BlobServiceClient;
import com.azure.storage.blob.BlobServiceClientBuilder;
import dev.penstock.testing.Installed;
import dev.penstock.testing.ServerProcess;
import dev.penstock.testing.StoreServer;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;

/// Azurite, which holds blobs in its memory, in a process of its own, on the loopback interface.
public final class AzureServer implements StoreServer {
  /// The account that the server knows.
  public static final String ACCOUNT = "testaccount";

  /// The key of the account.
  public static final String KEY = "dGVzdC1zZWNyZXQtOWQyLXRlc3Qtc2VjcmV0LTlkMg==";

  private final ServerProcess process;
  private final int port;
  private final BlobServiceClient client;

  /// Starts a server and waits until it listens, or skips the test where there is none.
  public AzureServer() throws IOException {
    Path module = Path.of(System.getProperty("penstock.root"), "azure");
    Path installed =
        Installed.npm("Azurite", module.resolve("server"), module.resolve("target/azurite"));
    port = ServerProcess.freePort();
    process =
        ServerProcess.start(
            List.of(
                "node",
                installed.resolve("node_modules/azurite/dist/src/blob/main.js").toString(),
                "--blobHost",
                "127.0.0.1",
                "--blobPort",
                String.valueOf(port),
                "--inMemoryPersistence",
                "--skipApiVersionCheck",
                "--silent",
                "--disableTelemetry"),
            Map.of("AZURITE_ACCOUNTS", ACCOUNT + ":" + KEY),
            line -> line.contains("successfully listen"));
    client = new BlobServiceClientBuilder().connectionString(connectionString()).buildClient();
  }

  @Override
  public int port() {
    return port;
  }

  /// Returns the address, for storage option `endpoint`.
  public String endpoint() {
    return "http://127.0.0.1:" + port + "/" + ACCOUNT;
  }

  /// Returns all of it, for storage option `connection-string`.
  public String connectionString() {
    return "AccountName=" + ACCOUNT + ";AccountKey=" + KEY + ";BlobEndpoint=" + endpoint() + ";";
  }

  /// Returns the SDK's own client.
  public BlobServiceClient client() {
    return client;
  }

  @Override
  public void put(String container, String name, byte[] content) {
    client.createBlobContainerIfNotExists(container);
    client
        .getBlobContainerClient(container)
        .getBlobClient(name)
        .upload(BinaryData.fromBytes(content), true);
  }

  @Override
  public void delete(String container, String name) {
    client.getBlobContainerClient(container).getBlobClient(name).delete();
  }

  @Override
  public void stop() {
    process.close();
  }
}
