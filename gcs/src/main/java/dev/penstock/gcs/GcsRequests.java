package dev.penstock.gcs;

import com.google.api.client.http.ByteArrayContent;
import com.google.api.client.http.HttpHeaders;
import com.google.api.client.http.HttpResponse;
import com.google.api.client.http.HttpResponseException;
import com.google.api.client.http.HttpTransport;
import com.google.api.services.storage.Storage;
import com.google.api.services.storage.model.Objects;
import com.google.api.services.storage.model.StorageObject;
import dev.penstock.spi.storage.BucketPath;
import dev.penstock.spi.storage.FileEntry;
import dev.penstock.spi.storage.FilePage;
import dev.penstock.spi.storage.RangeBody;
import dev.penstock.spi.storage.RemoteRequests;
import dev.penstock.spi.storage.ServedRange;
import dev.penstock.spi.storage.StorageOptions;
import dev.penstock.storage.Location;
import dev.penstock.storage.StorageException;
import dev.penstock.storage.StorageException.Kind;
import java.io.IOException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/// Single requests to Google Cloud Storage, without retries.
///
/// **Threads.** Safe for any.
final class GcsRequests implements RemoteRequests {
  /// The service's maximum page size.
  private static final long FILES_OF_PAGE = 1000;

  private final StorageOptions options;
  private final RenewedCredentials credentials;
  private final Storage client;
  private final GcsErrors errors;
  private final GcsErrors creationErrors;

  GcsRequests(StorageOptions options) {
    HttpTransport transport = GcsClients.transport(options);
    this.options = options;
    this.credentials = new RenewedCredentials(options, transport);
    this.client = GcsClients.client(options, transport, credentials);
    this.errors = new GcsErrors(credentials.access(), false);
    this.creationErrors = new GcsErrors(credentials.access(), true);
  }

  @Override
  public Optional<FileEntry> stat(Location location) throws IOException {
    BucketPath path = path(location);
    if (path.isFolder()) {
      return Optional.empty();
    }
    StorageObject found =
        asked(
            path,
            () ->
                client
                    .objects()
                    .get(path.bucket(), path.name())
                    .setFields("size,generation")
                    .execute());
    return Optional.of(entry(location, found));
  }

  private static FileEntry entry(Location location, StorageObject object) throws IOException {
    boolean hasSize = object.getSize() != null && object.getSize().bitLength() < Long.SIZE;
    if (!hasSize || object.getGeneration() == null) {
      throw new StorageException(
          Kind.REFUSED, "the store does not tell its size and generation.", null);
    }
    return new FileEntry(
        location, object.getSize().longValueExact(), false, String.valueOf(object.getGeneration()));
  }

  @Override
  public FilePage list(Location folder, String from, int most) throws IOException {
    BucketPath path = path(folder);
    Objects page = page(path, from, Math.min(most, FILES_OF_PAGE));
    List<FileEntry> files = new ArrayList<>();
    if (page.getItems() != null) {
      for (StorageObject each : page.getItems()) {
        if (each.getName() == null) {
          throw new StorageException(Kind.REFUSED, "the store lists a file without a name.", null);
        }
        FileEntry file = entry(path.file(each.getName()), each);
        files.add(FileEntry.listed(file.location(), file.bytes(), file.version(), modified(each)));
      }
    }
    String next = page.getNextPageToken();
    return new FilePage(files, Optional.ofNullable(next).filter(token -> !token.isEmpty()));
  }

  private static Optional<Instant> modified(StorageObject object) {
    return Optional.ofNullable(object.getUpdated())
        .map(time -> Instant.ofEpochMilli(time.getValue()));
  }

  private Objects page(BucketPath path, String from, long most) throws IOException {
    try {
      return page(path, from, most, "name,size,generation,updated");
    } catch (IllegalArgumentException _) { // Google's client refuses a list with a malformed time
      return page(path, from, most, "name,size,generation");
    }
  }

  private Objects page(BucketPath path, String from, long most, String fields) throws IOException {
    try {
      return asked(
          path,
          () ->
              client
                  .objects()
                  .list(path.bucket())
                  .setPrefix(path.prefix())
                  .setPageToken(from.isEmpty() ? null : from)
                  .setMaxResults(most)
                  .setFields("nextPageToken,items(" + fields + ")")
                  .execute());
    } catch (StorageException e) {
      if (e.kind() == Kind.MISSING) {
        throw GcsErrors.noBucket(path, e); // a prefix without objects is no error
      }
      throw e;
    }
  }

  @Override
  public RangeBody open(FileEntry file, long offset, long length) throws IOException {
    BucketPath path = path(file.location());
    HttpResponse response = asked(path, () -> ranged(file, path, offset, length));
    try {
      return opened(file, response);
    } catch (IOException e) {
      abort(response);
      throw e;
    }
  }

  private HttpResponse ranged(FileEntry file, BucketPath path, long offset, long length)
      throws IOException {
    Storage.Objects.Get get = client.objects().get(path.bucket(), path.name());
    get.setIfGenerationMatch(Long.valueOf(file.version())).setReturnRawInputStream(true);
    get.getRequestHeaders()
        .setRange("bytes=" + offset + "-" + (offset + length - 1))
        // Makes the store send compressed objects as stored, so that byte offsets in them are
        // right.
        .setAcceptEncoding("gzip");
    return get.executeMedia();
  }

  private static RangeBody opened(FileEntry file, HttpResponse response) throws IOException {
    HttpHeaders headers = response.getHeaders();
    String found = headers.getFirstHeaderStringValue("x-goog-generation");
    if (found != null && !found.equals(file.version())) { // not every server honours conditions
      throw StorageException.changed(found, file.version());
    }
    Long bytes = headers.getContentLength();
    ServedRange served =
        ServedRange.of(
            response.getStatusCode(),
            Optional.ofNullable(headers.getContentRange()),
            bytes == null ? -1 : bytes);
    return RangeBody.of(served, response.getContent(), () -> abort(response));
  }

  private static void abort(HttpResponse response) {
    try {
      response.disconnect();
    } catch (IOException _) {
      // The connection is dropped either way.
    }
  }

  @Override
  public void create(Location file, byte[] content) throws IOException {
    BucketPath path = path(file);
    StorageObject _ =
        asked(
            path, creationErrors, () -> insertion(path, content).setFields("generation").execute());
  }

  private Storage.Objects.Insert insertion(BucketPath path, byte[] content) throws IOException {
    Storage.Objects.Insert insertion =
        client
            .objects()
            .insert(
                path.bucket(),
                new StorageObject().setName(path.name()),
                new ByteArrayContent("application/octet-stream", content))
            .setIfGenerationMatch(0L);
    insertion.setDisableGZipContent(true).getMediaHttpUploader().setDirectUploadEnabled(true);
    return insertion;
  }

  /// A request to Google's client.
  private interface Request<T> {
    T make() throws IOException;
  }

  private <T> T asked(BucketPath path, Request<T> request) throws IOException {
    return asked(path, errors, request);
  }

  /// Makes a request. If its token has expired, fails so that the caller retries with a new one.
  private <T> T asked(BucketPath path, GcsErrors errors, Request<T> request) throws IOException {
    long generation = credentials.generation();
    try {
      return request.make();
    } catch (HttpResponseException e) {
      if (e.getStatusCode() == 401 && credentials.renew(generation)) {
        throw new StorageException(
            Kind.UNAVAILABLE,
            "the token has expired (401 "
                + GcsErrors.reason(e)
                + ") and a new one does not help. Check where the credentials come from.",
            e);
      }
      throw errors.of(e, path);
    }
  }

  private static BucketPath path(Location location) throws StorageException {
    return BucketPath.of(location, "gs://bucket/path");
  }

  @Override
  public String toString() {
    return "GCS requests " + options;
  }
}
