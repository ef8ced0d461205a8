package dev.penstock.s3;

import dev.penstock.spi.storage.StorageOptions;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import software.amazon.awssdk.core.exception.SdkClientException;
import software.amazon.awssdk.core.sync.RequestBody;
import software.amazon.awssdk.services.s3.S3Client;

/// Writes objects to a server by the SDK.
final class ObjectWriter implements AutoCloseable {
  private final S3Client client;
  private final Set<String> buckets = ConcurrentHashMap.newKeySet();

  ObjectWriter(StorageOptions options) {
    this.client = S3Clients.client(options, RenewedCredentials.of(options));
  }

  void put(String bucket, String name, byte[] content) {
    if (buckets.add(bucket)) {
      send(() -> client.createBucket(r -> r.bucket(bucket)));
    }
    send(() -> client.putObject(r -> r.bucket(bucket).key(name), RequestBody.fromBytes(content)));
  }

  void delete(String bucket, String name) {
    send(() -> client.deleteObject(r -> r.bucket(bucket).key(name)));
  }

  /// Sends a request once more where the server closed the connection that was kept; the client
  /// does not try again by itself.
  private static void send(Runnable request) {
    try {
      request.run();
    } catch (SdkClientException e) {
      request.run();
    }
  }

  @Override
  public void close() {
    client.close();
  }
}
