package dev.penstock.azure;

import com.azure.core.http.HttpHeaderName;
import com.azure.core.http.HttpMethod;
import com.azure.core.http.HttpRequest;
import com.azure.core.http.HttpResponse;
import com.azure.core.http.rest.PagedResponse;
import com.azure.core.util.BinaryData;
import com.azure.storage.blob.BlobContainerClient;
import com.azure.storage.blob.BlobServiceVersion;
import com.azure.storage.blob.models.BlobItem;
import com.azure.storage.blob.models.BlobItemProperties;
import com.azure.storage.blob.models.BlobListDetails;
import com.azure.storage.blob.models.BlobProperties;
import com.azure.storage.blob.models.BlobStorageException;
import com.azure.storage.blob.models.BlockBlobItem;
import com.azure.storage.blob.models.ListBlobsOptions;
import dev.penstock.spi.storage.FileEntry;
import dev.penstock.spi.storage.FilePage;
import dev.penstock.spi.storage.RangeBody;
import dev.penstock.spi.storage.RemoteRequests;
import dev.penstock.spi.storage.RetryPolicy;
import dev.penstock.spi.storage.ServedRange;
import dev.penstock.spi.storage.StorageOptions;
import dev.penstock.storage.Location;
import dev.penstock.storage.StorageException;
import java.io.IOException;
import java.time.Duration;
import java.time.OffsetDateTime;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/// Single requests to Azure's blobs, without retries.
///
/// **Threads.** Safe for any.
final class AzureRequests implements RemoteRequests {
  /* Bytes are requested through the client's pipeline, which signs. The client's own methods push
   * all bytes into a stream or hold them in memory, and resume by themselves where they break.
   */

  private static final HttpHeaderName VERSION = HttpHeaderName.fromString("x-ms-version");

  /// The metadata that marks a Data Lake folder, which is listed like a file.
  private static final String FOLDER_MARK = "hdi_isfolder";

  /// The service's maximum page size.
  private static final int FILES_OF_PAGE = 5000;

  private final StorageOptions options;
  private final AzureClients clients;
  private final AzureErrors errors;
  private final AzureErrors creationErrors;
  private final Duration readTimeout;

  AzureRequests(StorageOptions options) {
    this(options, new AzureClients(options));
  }

  AzureRequests(StorageOptions options, AzureClients clients) {
    this.options = options;
    this.readTimeout = RetryPolicy.readTimeout(options);
    this.clients = clients;
    this.errors = new AzureErrors(options, clients.access(), false);
    this.creationErrors = new AzureErrors(options, clients.access(), true);
  }

  @Override
  public Optional<FileEntry> stat(Location location) throws IOException {
    AzurePath path = AzurePath.of(location);
    if (path.isFolder()) {
      return Optional.empty();
    }
    BlobProperties found =
        asked(path, container -> container.getBlobClient(path.name()).getProperties());
    return isFolder(found.getMetadata())
        ? Optional.empty()
        : Optional.of(
            new FileEntry(location, found.getBlobSize(), false, version(found.getETag())));
  }

  private static boolean isFolder(@Nullable Map<String, String> metadata) {
    return metadata != null && "true".equalsIgnoreCase(metadata.get(FOLDER_MARK));
  }

  @Override
  public FilePage list(Location folder, String from, int most) throws IOException {
    AzurePath path = AzurePath.of(folder);
    PagedResponse<BlobItem> page = page(path, from, Math.min(most, FILES_OF_PAGE));
    List<FileEntry> files = new ArrayList<>();
    for (BlobItem each : page.getValue()) {
      BlobItemProperties known = each.getProperties();
      Long bytes = known.getContentLength();
      if (bytes == null) {
        throw new StorageException(
            StorageException.Kind.REFUSED,
            "the store lists '" + each.getName() + "' without its size.",
            null);
      }
      Location location = path.file(each.getName());
      files.add(
          isFolder(each.getMetadata())
              ? FileEntry.folder(location)
              : FileEntry.listed(
                  location,
                  bytes,
                  version(known.getETag()),
                  Optional.ofNullable(known.getLastModified()).map(OffsetDateTime::toInstant)));
    }
    return new FilePage(files, next(page));
  }

  private PagedResponse<BlobItem> page(AzurePath path, String from, int most) throws IOException {
    ListBlobsOptions wanted =
        new ListBlobsOptions()
            .setPrefix(path.prefix())
            .setMaxResultsPerPage(most)
            .setDetails(new BlobListDetails().setRetrieveMetadata(true));
    return asked(
        path,
        container ->
            container
                .listBlobs(wanted, from.isEmpty() ? null : from, null)
                .iterableByPage()
                .iterator()
                .next());
  }

  private static Optional<String> next(PagedResponse<BlobItem> page) {
    return Optional.ofNullable(page.getContinuationToken()).filter(token -> !token.isEmpty());
  }

  /// Returns an ETag without its quotes: only some answers have them.
  private static String version(@Nullable String etag) {
    return etag == null ? "" : etag.replace("\"", "");
  }

  @Override
  public RangeBody open(FileEntry file, long offset, long length) throws IOException {
    AzurePath path = AzurePath.of(file.location());
    HttpResponse response = asked(path, container -> ranged(container, file, path, offset, length));
    try {
      return opened(file, response);
    } catch (IOException e) {
      response.close();
      throw e;
    }
  }

  private static HttpResponse ranged(
      BlobContainerClient container, FileEntry file, AzurePath path, long offset, long length) {
    String url = container.getBlobClient(path.name()).getBlobUrl();
    HttpRequest request =
        new HttpRequest(HttpMethod.GET, url)
            .setHeader(VERSION, BlobServiceVersion.getLatest().getVersion())
            .setHeader(HttpHeaderName.CONTENT_LENGTH, "0") // else the client signs "null"
            .setHeader(HttpHeaderName.RANGE, "bytes=" + offset + "-" + (offset + length - 1));
    if (!file.version().isEmpty()) {
      request.setHeader(HttpHeaderName.IF_MATCH, '"' + file.version() + '"');
    }
    HttpResponse response =
        container
            .getHttpPipeline()
            .send(request)
            .contextWrite(FluxBody.QUIET)
            .blockOptional()
            .orElseThrow();
    int status = response.getStatusCode();
    if (status != 200 && status != 206) {
      response.close();
      throw new BlobStorageException("status " + status, response, null);
    }
    return response;
  }

  private RangeBody opened(FileEntry file, HttpResponse response) throws IOException {
    String found = version(response.getHeaderValue(HttpHeaderName.ETAG));
    if (!found.isEmpty() && !file.version().isEmpty() && !found.equals(file.version())) {
      throw StorageException.changed(found, file.version());
    }
    String bytes = response.getHeaderValue(HttpHeaderName.CONTENT_LENGTH);
    ServedRange served =
        ServedRange.of(
            response.getStatusCode(),
            Optional.ofNullable(response.getHeaderValue(HttpHeaderName.CONTENT_RANGE)),
            bytes == null ? -1 : Long.parseLong(bytes));
    return new FluxBody(served, response.getBody(), readTimeout);
  }

  @Override
  public void create(Location file, byte[] content) throws IOException {
    AzurePath path = AzurePath.of(file);
    BlockBlobItem _ =
        asked(
            path,
            creationErrors,
            container ->
                container // does not overwrite
                    .getBlobClient(path.name())
                    .getBlockBlobClient()
                    .upload(BinaryData.fromBytes(content)));
  }

  private <T> T asked(AzurePath path, Function<BlobContainerClient, T> request) throws IOException {
    return asked(path, errors, request);
  }

  /// Makes a request. If its token has expired, fails so that the caller retries with a new one.
  private <T> T asked(AzurePath path, AzureErrors errors, Function<BlobContainerClient, T> request)
      throws IOException {
    BlobContainerClient container = clients.client(path).getBlobContainerClient(path.container());
    Optional<RenewedToken> token = clients.token();
    long generation = token.map(RenewedToken::generation).orElse(0L);
    try {
      return request.apply(container);
    } catch (BlobStorageException e) {
      boolean isExpired = e.getResponse().getStatusCode() == 401;
      if (isExpired && token.isPresent() && token.get().renew(generation)) {
        throw new StorageException(
            StorageException.Kind.UNAVAILABLE,
            "the token has expired ("
                + AzureErrors.code(e.getResponse())
                + ") and a new one does not help. Check where tokens come from.",
            e);
      }
      throw errors.of(e, path);
    } catch (RuntimeException e) {
      throw errors.of(e, path);
    }
  }

  @Override
  public String toString() {
    return "Azure requests " + options;
  }
}
