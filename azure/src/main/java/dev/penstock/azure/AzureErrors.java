package dev.penstock.azure;

import com.azure.core.exception.ClientAuthenticationException;
import com.azure.core.http.HttpHeaderName;
import com.azure.core.http.HttpResponse;
import com.azure.identity.CredentialUnavailableException;
import com.azure.storage.blob.models.BlobStorageException;
import dev.penstock.advice.Advice;
import dev.penstock.advice.Remedy;
import dev.penstock.spi.storage.StorageOptions;
import dev.penstock.storage.StorageException;
import dev.penstock.storage.StorageException.Kind;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/// Makes one-sentence errors: what Azure refuses, and what to set.
///
/// @param creates whether the requests create files, else they read
record AzureErrors(StorageOptions options, Access access, boolean creates) {
  private static final HttpHeaderName CODE = HttpHeaderName.fromString("x-ms-error-code");

  private static final Advice WHAT_TO_SET =
      Advice.of(
          ". Set %s, 'sas-token', 'connection-string' or 'bearer-token', or 'anonymous' to 'true'"
              + " for a public container; or give the Azure SDK what it looks for, such as a sign-in"
              + " of the Azure CLI, or AZURE_CLIENT_ID, AZURE_TENANT_ID and AZURE_CLIENT_SECRET in"
              + " the environment.",
          Remedy.storageOption("account-key"));

  /// Returns Azure's name of the error, or the status.
  static String code(HttpResponse answer) {
    String code = answer.getHeaderValue(CODE);
    return code == null ? String.valueOf(answer.getStatusCode()) : code;
  }

  private StorageException of(HttpResponse answer, AzurePath path, @Nullable Throwable cause) {
    int status = answer.getStatusCode();
    String header = answer.getHeaderValue(CODE);
    String code = header == null ? "" : header;
    return switch (code) {
      case "ContainerNotFound" ->
          new StorageException(
              Kind.MISSING,
              ("there is no container '%s' (ContainerNotFound). Check its name, and the"
                      + " storage options 'account' and 'endpoint'.")
                  .formatted(path.container()),
              cause);
      case "ContainerBeingDeleted", "ContainerDisabled" ->
          new StorageException(
              Kind.MISSING,
              ("the container '%s' is being deleted or disabled (%s). Read the files from"
                      + " another one.")
                  .formatted(path.container(), code),
              cause);
      case "InvalidResourceName", "OutOfRangeInput" ->
          new StorageException(
              Kind.REFUSED,
              "no container or file can have its name (" + code + "). Correct the location.",
              cause);
      case "BlobArchived", "BlobBeingRehydrated" ->
          new StorageException(
              Kind.REFUSED,
              "it is archived (" + code + "). Move it to the hot or cool tier first.",
              cause);
      case "AccountIsDisabled" ->
          denied(
              Advice.text("the account is disabled (AccountIsDisabled). Ask its administrator."),
              cause);
      case "PublicAccessNotPermitted", "NoAuthenticationInformation" -> unknown(code, cause);
      case "ResourceNotFound" ->
          new StorageException(
              Kind.MISSING,
              Advice.of(
                  "there is no container '%s', or it is not public (ResourceNotFound). Check its"
                      + " name, or leave %s out and give credentials.",
                  path.container(), Remedy.storageOption("anonymous")),
              cause);
      case "AuthorizationPermissionMismatch",
          "InsufficientAccountPermissions",
          "AuthorizationProtocolMismatch",
          "AuthorizationSourceIPMismatch",
          "AuthorizationServiceMismatch",
          "AuthorizationResourceTypeMismatch" ->
          mayNot(code, cause);
      case "ServerBusy" -> ofStatus(503, answer, code, cause);
      case "InternalError", "OperationTimedOut" -> ofStatus(500, answer, code, cause);
      default ->
          status == 401 || status == 403
              ? refused(status, code, cause)
              : ofStatus(status, answer, code, cause);
    };
  }

  private static StorageException ofStatus(
      int status, HttpResponse answer, String code, @Nullable Throwable cause) {
    return StorageException.ofStatus(
        status,
        code,
        Optional.ofNullable(answer.getHeaderValue(HttpHeaderName.RETRY_AFTER)),
        cause);
  }

  /// Returns the error for rejected credentials. Azure does not say why, so the message depends on
  /// the kind of credentials.
  private StorageException refused(int status, String code, @Nullable Throwable cause) {
    String shown = "(" + status + (code.isEmpty() ? "" : " " + code) + ")";
    return switch (access) {
      case KEY ->
          denied(
              Advice.of(
                  "the key does not belong to the account %s. Set %s to a key of the account, and"
                      + " 'account' to its name; and check this machine's clock.",
                  shown, Remedy.storageOption("account-key")),
              cause);
      case SAS ->
          denied(
              Advice.of(
                  "the shared access signature is wrong, has expired or is not for this %s. Set %s to"
                      + " one that may %s.",
                  shown,
                  Remedy.storageOption("sas-token"),
                  creates ? "create files" : "read and list"),
              cause);
      case CONNECTION_STRING ->
          denied(
              Advice.of(
                  "what the connection string holds is not accepted %s. Copy %s anew from the"
                      + " account.",
                  shown, Remedy.storageOption("connection-string")),
              cause);
      case TOKEN ->
          denied(
              Advice.of(
                  "the token has expired, or is not for storage %s. Set %s to a new one for"
                      + " 'https://storage.azure.com/', or leave it out to have the SDK fetch and"
                      + " refresh them.",
                  shown, Remedy.storageOption("bearer-token")),
              cause);
      case IDENTITY -> status == 401 ? unknown(code, cause) : mayNot(code, cause);
      case ANONYMOUS -> unknown(code, cause);
    };
  }

  private static StorageException unknown(String code, @Nullable Throwable cause) {
    return denied(
        Advice.of(
            "the store wants to know who asks%s. Set %s, 'sas-token', 'connection-string' or"
                + " 'bearer-token'; or leave all of them and 'anonymous' out to have the SDK look"
                + " for credentials.",
            code.isEmpty() ? "" : " (" + code + ")", Remedy.storageOption("account-key")),
        cause);
  }

  private StorageException mayNot(String code, @Nullable Throwable cause) {
    return denied(
        Advice.of(
            "whoever asks may not %s it%s. Give the role 'Storage Blob Data %s', or the permission%s.",
            creates ? "create" : "read",
            code.isEmpty() ? "" : " (" + code + ")",
            creates ? "Contributor" : "Reader",
            creates ? " to create files" : "s to read and list"),
        cause);
  }

  private static StorageException denied(Advice message, @Nullable Throwable cause) {
    return new StorageException(Kind.DENIED, message, cause);
  }

  /// Returns the error for a request that failed in the SDK.
  IOException of(RuntimeException e, AzurePath path) {
    if (e instanceof BlobStorageException answer) {
      return of(answer.getResponse(), path, e);
    }
    boolean isInterrupted = cause(e, InterruptedException.class) != null;
    if (isInterrupted || Thread.currentThread().isInterrupted()) {
      Thread.currentThread().interrupt();
      return (IOException) new InterruptedIOException("interrupted").initCause(e);
    }
    boolean hasNoBody = cause(e, NullPointerException.class) != null;
    if (hasNoBody && options.get("proxy").isPresent()) { // how the SDK reports a refused tunnel
      return StorageException.ofStatus(407, "", Optional.empty(), e);
    }
    if (cause(e, IOException.class) instanceof IOException broken) {
      return broken;
    }
    if (cause(e, CredentialUnavailableException.class) != null) {
      return denied(Advice.of("no credentials were found%s", WHAT_TO_SET), e);
    }
    if (cause(e, ClientAuthenticationException.class) instanceof RuntimeException refusal) {
      return denied(
          Advice.of(
              "no credentials were found that Azure accepts (%s)%s", reason(refusal), WHAT_TO_SET),
          e);
    }
    return new StorageException(
        Kind.REFUSED, "the Azure SDK refuses the request (" + said(e) + ").", e);
  }

  /// Returns what the first cause says: the SDK's own message may only point to it.
  private String reason(Throwable e) {
    Throwable cause = e;
    while (cause.getCause() != null) {
      cause = cause.getCause();
    }
    return said(cause.getMessage() == null ? e : cause);
  }

  private String said(Throwable e) {
    String message = options.hide(String.valueOf(e.getMessage()));
    return message.lines().findFirst().orElse("");
  }

  /// Finds an exception inside those that the SDK wraps around it.
  private static @Nullable Throwable cause(Throwable e, Class<? extends Throwable> type) {
    Throwable cause = e;
    while (cause != null && !type.isInstance(cause)) {
      cause = cause.getCause();
    }
    return cause;
  }
}
