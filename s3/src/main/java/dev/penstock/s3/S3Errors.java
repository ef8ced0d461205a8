package dev.penstock.s3;

import dev.penstock.advice.Advice;
import dev.penstock.advice.Remedy;
import dev.penstock.spi.storage.BucketPath;
import dev.penstock.spi.storage.StorageOptions;
import dev.penstock.storage.StorageException;
import dev.penstock.storage.StorageException.Kind;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import software.amazon.awssdk.core.exception.AbortedException;
import software.amazon.awssdk.core.exception.SdkException;
import software.amazon.awssdk.services.s3.model.S3Exception;

/// Makes one-sentence errors: what S3 refuses, and what to set.
///
/// @param creates whether the requests create files, else they read
record S3Errors(StorageOptions options, String region, boolean creates) {
  private static final Pattern EXPECTED_REGION = Pattern.compile("expecting '([a-z0-9-]+)'");

  static String code(S3Exception e) {
    String code = e.awsErrorDetails() == null ? null : e.awsErrorDetails().errorCode();
    return code == null ? "" : code;
  }

  static boolean isExpired(S3Exception e) {
    return switch (code(e)) {
      case "ExpiredToken", "ExpiredTokenException", "TokenRefreshRequired" -> true;
      default -> false;
    };
  }

  /// Returns the error for the store's answer.
  StorageException of(S3Exception e, BucketPath path) {
    String code = code(e);
    return switch (code) {
      case "NoSuchBucket" ->
          new StorageException(
              Kind.MISSING,
              ("there is no bucket '%s' (NoSuchBucket). Check its name, and the storage"
                      + " options 'endpoint' and 'region'.")
                  .formatted(path.bucket()),
              e);
      case "InvalidAccessKeyId" ->
          denied(
              Advice.of(
                  "the store does not know the access key (InvalidAccessKeyId). Set %s to a key of"
                      + " this store.",
                  Remedy.storageOption("access-key-id")),
              e);
      case "SignatureDoesNotMatch" ->
          denied(
              Advice.of(
                  "the secret does not belong to the access key (SignatureDoesNotMatch). Set %s to"
                      + " the secret of 'access-key-id'.",
                  Remedy.storageOption("secret-access-key")),
              e);
      case "ExpiredToken", "ExpiredTokenException", "TokenRefreshRequired" ->
          denied(
              Advice.of(
                  "the session has expired (%s). Set storage options 'access-key-id',"
                      + " 'secret-access-key' and 'session-token' to new ones, or leave them out to"
                      + " have the SDK fetch and refresh them.",
                  code),
              e);
      case "InvalidToken" ->
          denied(
              Advice.of(
                  "the session token does not belong to the access key (InvalidToken). Set %s to the"
                      + " token of 'access-key-id', or leave it out.",
                  Remedy.storageOption("session-token")),
              e);
      case "RequestTimeTooSkewed" ->
          denied(
              Advice.text("this machine's clock is wrong (RequestTimeTooSkewed). Set the clock."),
              e);
      case "PermanentRedirect",
          "AuthorizationHeaderMalformed",
          "IllegalLocationConstraintException" ->
          wrongRegion(e, code);
      case "SlowDown", "ServiceUnavailable", "RequestLimitExceeded", "Throttling" ->
          ofStatus(503, e, code);
      case "InternalError",
          "RequestTimeout",
          "ConditionalRequestConflict", // two create a file at once, and neither has yet
          "OperationAborted" ->
          ofStatus(500, e, code);
      default ->
          switch (e.statusCode()) {
            case 301 -> wrongRegion(e, code);
            case 403 ->
                denied(
                    Advice.of(
                        "access is denied (403%s). Check the credentials, and that they may %s%s",
                        code.isEmpty() ? "" : " " + code,
                        creates
                            ? "create it (s3:PutObject)."
                            : "read it (s3:GetObject) and list its bucket (s3:ListBucket): else S3"
                                + " denies even what is not there.",
                        options.isOn("requester-pays")
                            ? ""
                            : Advice.of(
                                " If whoever reads this bucket pays for it, set %s.",
                                set("requester-pays", "true"))),
                    e);
            default -> ofStatus(e.statusCode(), e, code);
          };
    };
  }

  private static StorageException ofStatus(int status, S3Exception e, String code) {
    Optional<String> retryAfter =
        e.awsErrorDetails() == null || e.awsErrorDetails().sdkHttpResponse() == null
            ? Optional.empty()
            : e.awsErrorDetails().sdkHttpResponse().firstMatchingHeader("Retry-After");
    return StorageException.ofStatus(status, code, retryAfter, e);
  }

  private StorageException wrongRegion(S3Exception e, String code) {
    Matcher stated = EXPECTED_REGION.matcher(String.valueOf(e.getMessage()));
    String right =
        stated.find()
            ? stated.group(1)
            : e.awsErrorDetails() == null || e.awsErrorDetails().sdkHttpResponse() == null
                ? ""
                : e.awsErrorDetails()
                    .sdkHttpResponse()
                    .firstMatchingHeader("x-amz-bucket-region")
                    .orElse("");
    return new StorageException(
        Kind.REFUSED,
        Advice.of(
            "the bucket is in another region than '%s'%s. Set %s.",
            region,
            code.isEmpty() ? "" : " (" + code + ")",
            right.isEmpty()
                ? Advice.of("%s to the bucket's", Remedy.storageOption("region"))
                : set("region", right)),
        e);
  }

  private static StorageException denied(Advice message, SdkException e) {
    return new StorageException(Kind.DENIED, message, e);
  }

  /// Returns the error for a request without an answer.
  IOException of(SdkException e, BucketPath path) {
    if (e instanceof S3Exception answer) {
      return of(answer, path);
    }
    if (e instanceof AbortedException || Thread.currentThread().isInterrupted()) {
      return (IOException) new InterruptedIOException("interrupted").initCause(e);
    }
    IOException broken = ioCause(e);
    if (broken != null) {
      return broken;
    }
    String message = options.hide(String.valueOf(e.getMessage()));
    if (message.contains("Unable to load credentials")
        || message.contains("Profile file contained")) {
      return new StorageException(
          Kind.DENIED,
          AwsProfile.missing().orElse("no credentials were found")
              + ". Set storage options 'access-key-id' and"
              + " 'secret-access-key', or 'profile', or 'anonymous' to 'true' for a public bucket;"
              + " or give the AWS SDK what it looks for, such as AWS_ACCESS_KEY_ID and"
              + " AWS_SECRET_ACCESS_KEY in the environment.",
          e);
    }
    return new StorageException(
        Kind.REFUSED, "the AWS SDK refuses the request (" + message + ").", e);
  }

  private static @Nullable IOException ioCause(Throwable e) {
    Throwable cause = e.getCause();
    while (cause != null && !(cause instanceof IOException)) {
      cause = cause.getCause();
    }
    return (IOException) cause;
  }

  private static Remedy set(String key, String value) {
    return Remedy.of(
        "storage", key + "=" + value, "storage option '" + key + "' to '" + value + "'");
  }
}
