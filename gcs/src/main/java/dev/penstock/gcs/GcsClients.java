package dev.penstock.gcs;

import com.google.api.client.http.HttpRequest;
import com.google.api.client.http.HttpTransport;
import com.google.api.client.http.javanet.NetHttpTransport;
import com.google.api.client.json.gson.GsonFactory;
import com.google.api.services.storage.Storage;
import dev.penstock.spi.storage.ProxyServer;
import dev.penstock.spi.storage.RetryPolicy;
import dev.penstock.spi.storage.StorageOptions;
import dev.penstock.spi.storage.TrustedCertificates;
import java.io.IOException;
import java.net.HttpURLConnection;
import java.net.URL;

/// Makes Google's client of the JSON API from options. It does not retry: the caller does, from
/// where a read broke.
final class GcsClients {
  private GcsClients() {}

  static HttpTransport transport(StorageOptions options) {
    NetHttpTransport.Builder builder = new NetHttpTransport.Builder();
    ProxyServer.of(options)
        .ifPresent(proxy -> builder.setConnectionFactory(url -> connection(proxy, url)));
    TrustedCertificates.of(options)
        .ifPresent(trusted -> builder.setSslSocketFactory(trusted.context().getSocketFactory()));
    return builder.build();
  }

  /// Opens a connection through a proxy: for a file, or for a token.
  private static HttpURLConnection connection(ProxyServer proxy, URL url) throws IOException {
    HttpURLConnection connection = (HttpURLConnection) url.openConnection(proxy.proxy());
    proxy.authenticator().ifPresent(connection::setAuthenticator);
    return connection;
  }

  static Storage client(
      StorageOptions options, HttpTransport transport, RenewedCredentials credentials) {
    int connectMillis = (int) RetryPolicy.connectTimeout(options).toMillis();
    int readMillis = (int) RetryPolicy.readTimeout(options).toMillis();
    Storage.Builder builder =
        new Storage.Builder(
            transport,
            GsonFactory.getDefaultInstance(),
            request -> prepare(request, options, credentials, connectMillis, readMillis));
    options
        .address("endpoint")
        .ifPresent(endpoint -> builder.setRootUrl(endpoint.toString().replaceFirst("/*$", "/")));
    return builder.setApplicationName("penstock").build();
  }

  private static void prepare(
      HttpRequest request,
      StorageOptions options,
      RenewedCredentials credentials,
      int connectMillis,
      int readMillis)
      throws IOException {
    request.setConnectTimeout(connectMillis).setReadTimeout(readMillis).setNumberOfRetries(0);
    request.setLoggingEnabled(false).setCurlLoggingEnabled(false);
    options.get("project").ifPresent(id -> request.getHeaders().set("x-goog-user-project", id));
    credentials.authorize(request);
  }
}
