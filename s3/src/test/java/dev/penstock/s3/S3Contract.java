package dev.penstock.s3;

import dev.penstock.spi.storage.RemoteStorage;
import dev.penstock.spi.storage.StorageOptions;
import dev.penstock.testing.StoreContract;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// What S3 and servers that speak its protocol promise, beside what every store does.
abstract class S3Contract extends StoreContract {
  @TempDir static Path noFiles;

  @Override
  protected RemoteStorage storage() {
    return new S3Storage();
  }

  @Override
  protected String changed() {
    return "it is no longer the file that was planned (412 PreconditionFailed). Make a new dataset";
  }

  @Override
  protected String noBucket() {
    return "there is no bucket 'nobucket' (NoSuchBucket). Check its name, and the storage options";
  }

  @Override
  protected String secret() {
    return S3Server.SECRET;
  }

  @Test
  void wrongAccessKeyAndWrongSecretHaveTheirSentences() {
    assertSays(
        options().with("access-key-id", "nobody"),
        "lake/a/data.bin",
        "the store does not know the access key (InvalidAccessKeyId). Set storage option");
    assertSays(
        options().with("secret-access-key", "hush-hush"),
        "lake/a/data.bin",
        "the secret does not belong to the access key (SignatureDoesNotMatch). Set storage option");
  }

  @Test
  void noCredentialsHaveTheirSentence() {
    System.setProperty("aws.disableEc2Metadata", "true");
    System.setProperty("aws.sharedCredentialsFile", noFiles + "/none");
    System.setProperty("aws.configFile", noFiles + "/none");
    assertSays(
        StorageOptions.NONE.with("endpoint", "http://127.0.0.1:" + server().port()),
        "lake/a/data.bin",
        "no credentials were found. Set storage options 'access-key-id' and 'secret-access-key'");
  }
}
