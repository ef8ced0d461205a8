import dev.penstock.spi.storage.Storage;
import org.jspecify.annotations.NullMarked;

/// Files in Google Cloud Storage.
///
/// Found by `ServiceLoader`; there is nothing to call.
@NullMarked
module dev.penstock.gcs {
  requires com.google.api.client;
  requires com.google.api.client.json.gson;
  requires com.google.api.services.storage;
  requires com.google.auth;
  requires com.google.auth.oauth2;
  requires dev.penstock;
  requires google.api.client;
  requires static transitive org.jspecify;

  provides Storage with
      dev.penstock.gcs.GcsStorage;
}
