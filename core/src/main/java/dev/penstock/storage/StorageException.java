package dev.penstock.storage;

import java.io.IOException;
import java.time.Duration;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/// Thrown if a store gives an error instead of data: says what is wrong, and whether a retry may
/// help.
///
/// The message continues "Cannot read ...: ", and ends with what to do.
public final class StorageException extends IOException {
  private static final long serialVersionUID = 1;

  /// What kind of answer it is.
  public enum Kind {
    /// The store cannot answer now: another attempt may help.
    UNAVAILABLE(true),

    /// There were too many requests: another attempt may help later.
    THROTTLED(true),

    /// There is no such file, or bucket, or host.
    MISSING(false),

    /// The credentials are missing, unknown or not permitted to read.
    DENIED(false),

    /// The file is no longer the one that was planned.
    CHANGED(false),

    /// The file does not have the requested bytes.
    RANGE(false),

    /// Any other error that a retry does not change.
    REFUSED(false);

    private final boolean temporary;

    Kind(boolean temporary) {
      this.temporary = temporary;
    }

    /// {@return whether another attempt may help, or the answer would be the same}
    public boolean isTemporary() {
      return temporary;
    }
  }

  private final Kind kind;
  private final transient Optional<Duration> retryAfter;

  /// Makes the error.
  ///
  /// @param kind what kind of answer it is
  /// @param message what is wrong and what to do, without the file
  /// @param retryAfter how long to wait, if the store said so
  /// @param cause the exception of the vendor's library, or null
  public StorageException(
      Kind kind, String message, Optional<Duration> retryAfter, @Nullable Throwable cause) {
    super(Printable.of(message), cause);
    this.kind = kind;
    this.retryAfter = retryAfter;
  }

  /// Makes the error of a store that did not say when to retry.
  ///
  /// @param kind what kind of answer it is
  /// @param message what is wrong and what to do, without the file
  /// @param cause the exception of the vendor's library, or null
  public StorageException(Kind kind, String message, @Nullable Throwable cause) {
    this(kind, message, Optional.empty(), cause);
  }

  /// {@return the error of an HTTP status}
  ///
  /// @param status the status, not one of success
  /// @param detail further information, for example an error code; may be empty
  /// @param retryAfter the header `Retry-After`, in seconds or as a date; a date is ignored
  /// @param cause the exception of the vendor's library, or null
  public static StorageException ofStatus(
      int status, String detail, Optional<String> retryAfter, @Nullable Throwable cause) {
    String shown = "(" + status + (detail.isEmpty() ? "" : " " + detail) + ")";
    return switch (status) {
      case 401 ->
          new StorageException(
              Kind.DENIED,
              "the store wants to know who asks " + shown + ". Give credentials.",
              cause);
      case 403 ->
          new StorageException(
              Kind.DENIED,
              "access is denied " + shown + ". Check the credentials, and that they may read it.",
              cause);
      case 404, 410 ->
          new StorageException(
              Kind.MISSING,
              "it is gone " + shown + ". List the dataset again, or restore the file.",
              cause);
      case 407 ->
          new StorageException(
              Kind.DENIED,
              ("the proxy asks for a password %s. Set storage options"
                      + " 'proxy-username' and 'proxy-password'; except for S3, Java sends"
                      + " them for 'https' only when it is started with"
                      + " '-Djdk.http.auth.tunneling.disabledSchemes='.")
                  .formatted(shown),
              cause);
      case 409, 412 ->
          new StorageException(
              Kind.CHANGED,
              "it is no longer the file that was planned "
                  + shown
                  + ". Make a new dataset to read the changed file.",
              cause);
      case 416 ->
          new StorageException(
              Kind.RANGE,
              "the file does not have these bytes "
                  + shown
                  + ". It was cut or replaced; make a new dataset.",
              cause);
      case 429, 503 ->
          new StorageException(
              Kind.THROTTLED,
              "the store is busy "
                  + shown
                  + ". Ask less at once: lower storage option 'concurrency'.",
              seconds(retryAfter),
              cause);
      default ->
          status == 408 || (status >= 500 && status != 501 && status != 505)
              ? new StorageException(
                  Kind.UNAVAILABLE,
                  "the store failed " + shown + ". Try again later.",
                  seconds(retryAfter),
                  cause)
              : new StorageException(
                  Kind.REFUSED, "the store refuses the request " + shown + ".", cause);
    };
  }

  /// {@return the error of a file that is no longer the planned version}
  ///
  /// @param found its version
  /// @param planned the version that was planned
  public static StorageException changed(String found, String planned) {
    return new StorageException(
        Kind.CHANGED,
        ("its version is '%s' but was '%s' when the dataset was planned. Make a new"
                + " dataset to read the changed file.")
            .formatted(found, planned),
        null);
  }

  private static Optional<Duration> seconds(Optional<String> retryAfter) {
    return retryAfter
        .filter(text -> text.matches("[0-9]{1,6}"))
        .map(text -> Duration.ofSeconds(Long.parseLong(text)));
  }

  /// {@return what kind of answer it is}
  public Kind kind() {
    return kind;
  }

  /// {@return how long to wait before the next attempt; empty if the store did not say}
  public Optional<Duration> retryAfter() {
    return retryAfter;
  }
}
