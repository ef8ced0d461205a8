import dev.penstock.spi.storage.Storage;
import org.jspecify.annotations.NullMarked;

/// Files in Azure Blob Storage and Data Lake Storage.
///
/// Found by `ServiceLoader`; there is nothing to call.
@NullMarked
module dev.penstock.azure {
  requires com.azure.core;
  requires com.azure.core.http.jdk.httpclient;
  requires com.azure.identity;
  requires com.azure.storage.blob;
  requires dev.penstock;
  requires java.net.http;
  requires static transitive org.jspecify;

  provides Storage with
      dev.penstock.azure.AzureStorage;
}
