import dev.penstock.spi.storage.Storage;
import org.jspecify.annotations.NullMarked;

/// Files in Amazon S3 and compatible stores, such as MinIO.
///
/// Found by `ServiceLoader`; there is nothing to call.
@NullMarked
@SuppressWarnings("module") // the name of the service ends with a digit
module dev.penstock.s3 {
  requires dev.penstock;
  requires software.amazon.awssdk.auth;
  requires software.amazon.awssdk.awscore;
  requires software.amazon.awssdk.core;
  requires software.amazon.awssdk.http;
  requires software.amazon.awssdk.http.apache5;
  requires software.amazon.awssdk.http.auth.aws;
  requires software.amazon.awssdk.http.auth.spi;
  requires software.amazon.awssdk.identity.spi;
  requires software.amazon.awssdk.profiles;
  requires software.amazon.awssdk.regions;
  requires software.amazon.awssdk.retries.api;
  requires software.amazon.awssdk.services.s3;
  requires software.amazon.awssdk.utils;
  requires static transitive org.jspecify;

  provides Storage with
      dev.penstock.s3.S3Storage;
}
