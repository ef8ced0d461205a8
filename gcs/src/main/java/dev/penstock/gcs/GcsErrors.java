package dev.penstock.gcs;

import com.google.api.client.googleapis.json.GoogleJsonError;
import com.google.api.client.googleapis.json.GoogleJsonResponseException;
import com.google.api.client.http.HttpResponseException;
import dev.penstock.advice.Advice;
import dev.penstock.advice.Remedy;
import dev.penstock.spi.storage.BucketPath;
import dev.penstock.storage.StorageException;
import dev.penstock.storage.StorageException.Kind;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/// Makes one-sentence errors: what Google Cloud Storage refuses, and what to set.
///
/// @param creates whether the requests create files, else they read
record GcsErrors(Access access, boolean creates) {
  /// Returns Google's name of the error, or an empty text.
  static String reason(HttpResponseException e) {
    List<GoogleJsonError.ErrorInfo> errors =
        e instanceof GoogleJsonResponseException json && json.getDetails() != null
            ? json.getDetails().getErrors()
            : null;
    String reason = errors == null || errors.isEmpty() ? null : errors.get(0).getReason();
    return reason == null ? "" : reason;
  }

  private static String message(HttpResponseException e) {
    String message =
        e instanceof GoogleJsonResponseException json && json.getDetails() != null
            ? json.getDetails().getMessage()
            : e.getContent();
    return message == null ? "" : message.toLowerCase(Locale.ROOT);
  }

  /// Returns the error for the store's answer.
  StorageException of(HttpResponseException e, BucketPath path) {
    int status = e.getStatusCode();
    String reason = reason(e);
    if (status == 404 && message(e).contains("bucket does not exist")) {
      return noBucket(path, e);
    }
    return switch (reason) {
      case "rateLimitExceeded", "userRateLimitExceeded", "quotaExceeded" ->
          ofStatus(429, e, reason);
      case "userProjectMissing" ->
          new StorageException(
              Kind.REFUSED,
              Advice.of(
                  "who reads this bucket pays for it (userProjectMissing). Set %s to the project to"
                      + " be billed.",
                  Remedy.storageOption("project")),
              e);
      case "userProjectAccessDenied", "userProjectInconsistent", "userProjectInvalid" ->
          new StorageException(
              Kind.DENIED,
              Advice.of(
                  "the project cannot be billed (%s). Set %s to one that whoever asks may use.",
                  reason, Remedy.storageOption("project")),
              e);
      case "accountDisabled", "billingDisabled" ->
          new StorageException(
              Kind.DENIED,
              "the project's account is disabled (" + reason + "). Ask its administrator.",
              e);
      default ->
          switch (status) {
            case 401 -> unknown(e, reason);
            case 403 ->
                new StorageException(
                    Kind.DENIED,
                    "whoever asks may not %s it (403 %s). Give the role 'Storage Object %s' on the bucket."
                        .formatted(
                            creates ? "create" : "read", reason, creates ? "Creator" : "Viewer"),
                    e);
            default -> ofStatus(status, e, reason);
          };
    };
  }

  /// Returns the error for a bucket that does not exist.
  static StorageException noBucket(BucketPath path, Throwable cause) {
    return new StorageException(
        Kind.MISSING,
        Advice.of(
            "there is no bucket '%s' (404 notFound). Check its name, and %s.",
            path.bucket(), Remedy.of("storage", "endpoint=VALUE", "the storage option 'endpoint'")),
        cause);
  }

  private StorageException unknown(HttpResponseException e, String reason) {
    String shown = "(401" + (reason.isEmpty() ? "" : " " + reason) + ")";
    Advice sentence =
        switch (access) {
          case ANONYMOUS ->
              Advice.of(
                  "the bucket is not public %s. Leave %s out, and give credentials.",
                  shown, Remedy.storageOption("anonymous"));
          case TOKEN ->
              Advice.of(
                  "the token has expired, or is not for storage %s. Set %s to a new one, or leave it"
                      + " out to have Google's library fetch and refresh them.",
                  shown, Remedy.storageOption("bearer-token"));
          case FILE, FOUND ->
              Advice.of("the credentials are not accepted %s. Check where they come from.", shown);
        };
    return new StorageException(Kind.DENIED, sentence, e);
  }

  private static StorageException ofStatus(int status, HttpResponseException e, String reason) {
    Optional<String> retryAfter =
        Optional.ofNullable(e.getHeaders()).map(headers -> headers.getRetryAfter());
    return StorageException.ofStatus(status, reason, retryAfter, e);
  }
}
