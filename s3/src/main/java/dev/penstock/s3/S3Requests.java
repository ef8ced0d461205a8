package dev.penstock.s3;

import dev.penstock.spi.storage.BucketPath;
import dev.penstock.spi.storage.FileEntry;
import dev.penstock.spi.storage.FilePage;
import dev.penstock.spi.storage.RangeBody;
import dev.penstock.spi.storage.RemoteRequests;
import dev.penstock.spi.storage.ServedRange;
import dev.penstock.spi.storage.StorageOptions;
import dev.penstock.storage.Location;
import dev.penstock.storage.StorageException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import software.amazon.awssdk.core.ResponseInputStream;
import software.amazon.awssdk.core.exception.SdkException;
import software.amazon.awssdk.core.sync.RequestBody;
import software.amazon.awssdk.services.s3.S3Client;
import software.amazon.awssdk.services.s3.model.GetObjectRequest;
import software.amazon.awssdk.services.s3.model.GetObjectResponse;
import software.amazon.awssdk.services.s3.model.HeadObjectResponse;
import software.amazon.awssdk.services.s3.model.ListObjectsV2Response;
import software.amazon.awssdk.services.s3.model.PutObjectResponse;
import software.amazon.awssdk.services.s3.model.S3Exception;
import software.amazon.awssdk.services.s3.model.S3Object;

/// Single requests to S3, without retries.
///
/// **Threads.** Safe for any.
final class S3Requests implements RemoteRequests {
  private static final String MODIFIED = "modified ";

  /// The service's maximum page size.
  private static final int FILES_OF_PAGE = 1000;

  private final StorageOptions options;
  private final RenewedCredentials credentials;
  private final S3Client client;
  private final S3Errors errors;
  private final S3Errors creationErrors;

  S3Requests(StorageOptions options) {
    this.options = options;
    this.credentials = RenewedCredentials.of(options);
    this.client = S3Clients.client(options, credentials);
    String region = client.serviceClientConfiguration().region().id();
    this.errors = new S3Errors(options, region, false);
    this.creationErrors = new S3Errors(options, region, true);
  }

  @Override
  public void close() {
    client.close();
    credentials.close();
  }

  @Override
  public Optional<FileEntry> stat(Location location) throws IOException {
    BucketPath path = path(location);
    if (path.isFolder()) {
      return Optional.empty();
    }
    try {
      HeadObjectResponse head =
          asked(path, () -> client.headObject(r -> r.bucket(path.bucket()).key(path.name())));
      if (head.contentLength() != null) {
        return Optional.of(
            new FileEntry(
                location, head.contentLength(), false, version(head.eTag(), head.lastModified())));
      }
    } catch (StorageException e) {
      if (e.kind() == StorageException.Kind.MISSING || e.kind().isTemporary()) {
        throw e;
      }
    }
    // GET, not HEAD: some servers, proxies and signatures allow GET only, and a failed HEAD has no
    // body that says what is wrong.
    return statByRange(location, path);
  }

  private Optional<FileEntry> statByRange(Location location, BucketPath path) throws IOException {
    try {
      ResponseInputStream<GetObjectResponse> stream = get(path, "", 0, 1);
      try (RangeBody body = body(stream)) {
        if (body.served().length() == 1) {
          body.read(ByteBuffer.allocate(1)); // so that the connection is kept
        }
        if (body.served().fileBytes() < 0) {
          throw unfit("answers neither HEAD nor a range with the file's size");
        }
        GetObjectResponse found = stream.response();
        String version = version(found.eTag(), found.lastModified());
        return Optional.of(new FileEntry(location, body.served().fileBytes(), false, version));
      }
    } catch (StorageException e) {
      return switch (e.kind()) {
        case RANGE -> Optional.of(new FileEntry(location, 0, false)); // empty: no first byte
        case UNAVAILABLE, THROTTLED, MISSING, DENIED, CHANGED, REFUSED -> throw e;
      };
    }
  }

  @Override
  public FilePage list(Location folder, String from, int most) throws IOException {
    BucketPath path = path(folder);
    ListObjectsV2Response page = page(path, from, Math.min(most, FILES_OF_PAGE));
    List<FileEntry> files = new ArrayList<>();
    for (S3Object each : page.contents()) {
      if (each.key() == null || each.size() == null) {
        throw unfit("lists '" + each.key() + "' with size " + each.size());
      }
      files.add(
          FileEntry.listed(
              path.file(each.key()),
              each.size(),
              version(each.eTag(), each.lastModified()),
              Optional.ofNullable(each.lastModified())));
    }
    return new FilePage(files, next(page));
  }

  private ListObjectsV2Response page(BucketPath path, String from, int most) throws IOException {
    return asked(
        path,
        () ->
            client.listObjectsV2(r ->
                r.bucket(path.bucket())
                    .prefix(path.prefix())
                    .maxKeys(most)
                    .continuationToken(from.isEmpty() ? null : from)));
  }

  /// Returns where the next page starts: a page may be empty without being the last.
  private static Optional<String> next(ListObjectsV2Response page) throws StorageException {
    if (!Boolean.TRUE.equals(page.isTruncated())) {
      return Optional.empty();
    }
    String token = page.nextContinuationToken();
    if (token == null || token.isEmpty()) {
      throw unfit("breaks a list off without NextContinuationToken");
    }
    return Optional.of(token);
  }

  private static StorageException unfit(String what) {
    return new StorageException(
        StorageException.Kind.REFUSED,
        "the store " + what + ", which S3 does not. Check 'endpoint', and who runs the store.",
        null);
  }

  /// Returns the ETag, else the time of the last change, in seconds as in HTTP.
  private static String version(@Nullable String etag, @Nullable Instant modified) {
    if (etag != null && !etag.isEmpty()) {
      return etag;
    }
    return modified == null ? "" : MODIFIED + modified.truncatedTo(ChronoUnit.SECONDS);
  }

  @Override
  public RangeBody open(FileEntry file, long offset, long length) throws IOException {
    String version = file.version();
    ResponseInputStream<GetObjectResponse> stream =
        get(path(file.location()), version, offset, length);
    try {
      GetObjectResponse found = stream.response();
      requireVersion(version, version(found.eTag(), found.lastModified()));
      return body(stream);
    } catch (IOException e) {
      stream.abort();
      throw e;
    }
  }

  private ResponseInputStream<GetObjectResponse> get(
      BucketPath path, String version, long offset, long length) throws IOException {
    GetObjectRequest.Builder request =
        GetObjectRequest.builder()
            .bucket(path.bucket())
            .key(path.name())
            .range("bytes=" + offset + "-" + (offset + length - 1));
    if (!version.isEmpty() && !version.startsWith(MODIFIED)) { // times are compared with the answer
      request.ifMatch(version);
    }
    return asked(path, () -> client.getObject(request.build()));
  }

  private static RangeBody body(ResponseInputStream<GetObjectResponse> stream) throws IOException {
    GetObjectResponse response = stream.response();
    try {
      ServedRange served =
          ServedRange.of(
              response.sdkHttpResponse().statusCode(),
              Optional.ofNullable(response.contentRange()),
              response.contentLength() == null ? -1 : response.contentLength());
      return RangeBody.of(served, stream, stream::abort);
    } catch (IOException e) {
      stream.abort();
      throw e;
    }
  }

  /// Checks the version: not every server honours conditions.
  private static void requireVersion(String wanted, String found) throws StorageException {
    if (!wanted.isEmpty() && !found.isEmpty() && !bare(wanted).equals(bare(found))) {
      throw StorageException.changed(found, wanted);
    }
  }

  private static String bare(String etag) {
    return etag.replace("\"", "");
  }

  @Override
  public void create(Location file, byte[] content) throws IOException {
    BucketPath path = path(file);
    PutObjectResponse _ =
        asked(
            path,
            creationErrors,
            () ->
                client.putObject(
                    r -> r.bucket(path.bucket()).key(path.name()).ifNoneMatch("*"),
                    RequestBody.fromBytes(content)));
  }

  private <T> T asked(BucketPath path, Supplier<T> request) throws IOException {
    return asked(path, errors, request);
  }

  private <T> T asked(BucketPath path, S3Errors errors, Supplier<T> request) throws IOException {
    long generation = credentials.generation();
    try {
      return request.get();
    } catch (S3Exception e) {
      if (S3Errors.isExpired(e) && credentials.renew(generation)) {
        throw new StorageException(
            StorageException.Kind.UNAVAILABLE,
            "the credentials have expired ("
                + S3Errors.code(e)
                + ") and the new ones do not help. Check where they come from.",
            e);
      }
      throw errors.of(e, path);
    } catch (SdkException e) {
      throw errors.of(e, path);
    }
  }

  private static BucketPath path(Location location) throws StorageException {
    return BucketPath.of(location, "s3://bucket/key");
  }

  @Override
  public String toString() {
    return "S3 requests " + options;
  }
}
