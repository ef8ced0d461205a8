package dev.penstock.azure;

import static org.assertj.core.api.Assertions.assertThat;

import com.azure.storage.blob.BlobContainerClient;
import com.azure.storage.blob.models.PublicAccessType;
import com.azure.storage.blob.sas.BlobContainerSasPermission;
import com.azure.storage.blob.sas.BlobServiceSasSignatureValues;
import dev.penstock.spi.storage.RemoteStorage;
import dev.penstock.spi.storage.StorageOptions;
import dev.penstock.storage.Location;
import dev.penstock.testing.StoreContract;
import dev.penstock.testing.StoreServer;
import java.io.IOException;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.util.Arrays;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/// Against Azurite, Microsoft's emulator.
@Tag("outer")
class AzureStorageTest extends StoreContract {
  @Override
  protected StoreServer start() throws IOException {
    return new AzureServer();
  }

  @Override
  protected RemoteStorage storage() {
    return new AzureStorage();
  }

  @Override
  protected StorageOptions options(int port) {
    return StorageOptions.NONE
        .with("endpoint", "http://127.0.0.1:" + port + "/" + AzureServer.ACCOUNT)
        .with("account-key", AzureServer.KEY);
  }

  @Override
  protected String changed() {
    return "it is no longer the file that was planned (412 ConditionNotMet). Make a new dataset";
  }

  @Override
  protected String noBucket() {
    return "there is no container 'nobucket' (ContainerNotFound). Check its name";
  }

  @Override
  protected String secret() {
    return AzureServer.KEY;
  }

  private AzureServer azure() {
    return (AzureServer) server();
  }

  @Test
  void whatMarksAFolderOfADataLakeIsNoFile() throws IOException {
    server().put("deep", "a/data.bin", new byte[9]);
    server().put("deep", "a/c", new byte[0]);
    azure()
        .client()
        .getBlobContainerClient("deep")
        .getBlobClient("a/c")
        .setMetadata(Map.of("hdi_isfolder", "true"));
    assertThat(store(options()).stat(at("deep/a/c"))).isEmpty();
    String deep = "abfss://deep@testaccount.dfs.core.windows.net/a";
    assertThat(store(options()).list(new Location(deep)))
        .extracting(each -> each.location().text())
        .containsExactly(deep + "/data.bin");
  }

  @Test
  void everyKindOfCredentialReads() throws IOException {
    Location file = at("lake/a/data.bin");
    assertThat(store(options()).open(file).size()).isEqualTo(BYTES);
    StorageOptions elsewhere =
        StorageOptions.NONE.with("connection-string", azure().connectionString());
    assertThat(read(store(elsewhere).open(file), 0, 9)).isEqualTo(Arrays.copyOf(DATA, 9));
    StorageOptions signed =
        StorageOptions.NONE.with("endpoint", azure().endpoint()).with("sas-token", "?" + sas("rl"));
    assertThat(read(store(signed).open(file), 0, 9)).isEqualTo(Arrays.copyOf(DATA, 9));
    assertThat(store(signed).list(at("lake/a"))).hasSize(2);
    server().put("open", "x", new byte[5]);
    azure()
        .client()
        .getBlobContainerClient("open")
        .setAccessPolicy(PublicAccessType.CONTAINER, null);
    StorageOptions anonymous =
        StorageOptions.NONE.with("endpoint", azure().endpoint()).with("anonymous", "true");
    assertThat(read(store(anonymous).open(at("open/x")), 0, 5)).isEqualTo(new byte[5]);
    assertThat(store(anonymous).list(at("open"))).hasSize(1);
  }

  private String sas(String permissions) {
    BlobContainerClient container = azure().client().getBlobContainerClient("lake");
    return container.generateSas(
        new BlobServiceSasSignatureValues(
            OffsetDateTime.of(2099, 1, 1, 0, 0, 0, 0, ZoneOffset.UTC),
            BlobContainerSasPermission.parse(permissions)));
  }

  @Test
  void whatIsWrongWithTheRequestHasItsOwnSentence() {
    StorageOptions good = options();
    assertSays(
        good.with("account-key", "aHVzaC1odXNo"),
        "lake/a/data.bin",
        "the key does not belong to the account (403 Auth");
    assertSays(
        StorageOptions.NONE
            .with("endpoint", azure().endpoint())
            .with("sas-token", sas("rl").replace("sp=rl", "sp=racwdl") + "&x=aHVzaC"),
        "lake/a/data.bin",
        "the shared access signature is wrong, has expired or is not for this (403 Auth");
    assertSays(
        StorageOptions.NONE.with("endpoint", azure().endpoint()).with("sas-token", sas("r")),
        "lake/a",
        "whoever asks may not read it (AuthorizationPermissionMismatch). Give the role");
    assertSays(
        StorageOptions.NONE.with("endpoint", azure().endpoint()).with("anonymous", "true"),
        "lake/a/data.bin",
        "the store wants to know who asks (Auth");
  }
}
