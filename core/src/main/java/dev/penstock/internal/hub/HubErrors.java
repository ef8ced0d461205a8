package dev.penstock.internal.hub;

import dev.penstock.advice.Advice;
import dev.penstock.advice.Remedy;
import dev.penstock.storage.StorageException;
import dev.penstock.storage.StorageException.Kind;
import java.net.http.HttpHeaders;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/// What the Hub's refusals mean, and what to do. Of the answer only its status, its error code and
/// its time to wait are shown: the rest may repeat what was sent.
final class HubErrors {
  private static final Remedy TOKEN = Remedy.storageOption("bearer-token");
  private static final Pattern CODE = Pattern.compile("[A-Za-z]{1,40}");

  /// The seconds until requests are counted from 0 again, as in `"api";r=0;t=55`.
  private static final Pattern RESET = Pattern.compile("(?:^|[;,]) *t=([0-9]{1,6})(?![0-9])");

  private HubErrors() {}

  static String code(HttpHeaders headers) {
    return headers
        .firstValue("x-error-code")
        .filter(code -> CODE.matcher(code).matches())
        .orElse("");
  }

  /// Makes the error of an answer of the Hub itself.
  ///
  /// @param page the address of the repository's page
  /// @param revision what was asked for
  /// @param hasToken whether a token was sent
  static StorageException of(
      int status,
      HttpHeaders headers,
      HubPath path,
      String page,
      String revision,
      boolean hasToken) {
    String code = code(headers);
    String shown = "(" + status + (code.isEmpty() ? "" : " " + code) + ")";
    String what = path.kind().equals("datasets") ? "data set" : "model";
    if (code.equals("GatedRepo")) {
      return denied(
          hasToken
              ? Advice.of(
                  "access to this %s is granted to accounts that accept its terms, and that of the"
                      + " token is not one of them %s. Accept them at %s, and let the token read"
                      + " gated repositories.",
                  what, shown, page)
              : Advice.of(
                  "access to this %s is granted to accounts that accept its terms %s. Accept them"
                      + " at %s, and set HF_TOKEN or %s to a token of that account.",
                  what, shown, page, TOKEN));
    }
    if (code.equals("RevisionNotFound")) {
      return refused(
          revision.equals(HubPath.EXPORT)
              ? Advice.of(
                  "the Hub has no Parquet export of it %s: it makes none of some data sets, and needs"
                      + " time after an upload. Name files of the repository, as in"
                      + " 'hf://datasets/%s/PATH'; %s shows them.",
                  shown, path.repository(), page)
              : Advice.of(
                  "'%s' is no branch, tag or commit of %s %s. Correct what is behind the '@'.",
                  revision, path.repository(), shown));
    }
    if (code.equals("RepoNotFound") || (status == 401 && !hasToken)) {
      return refused(
          hasToken
              ? Advice.of(
                  "the Hub has no %s '%s', or none that the token may read %s. Check the name, which"
                      + " has an owner: upper and lower case differ. If it is private, use a token"
                      + " that may read it.",
                  what, path.repository(), shown)
              : Advice.of(
                  "the Hub has no public %s '%s' %s. Check the name, which has an owner: upper and"
                      + " lower case differ. If it is private or gated, set HF_TOKEN or %s.",
                  what, path.repository(), shown, TOKEN));
    }
    if (status == 401 || status == 403) {
      return denied(
          Advice.of(
              "the Hub does not accept the token, or it may not read this %s %s. Check HF_TOKEN, %s"
                  + " and the file of 'hf auth login'; a token is found in that order.",
              what, shown, TOKEN));
    }
    if (status == 404) {
      return new StorageException(
          Kind.MISSING,
          "the repository has no such file or folder at this commit "
              + shown
              + ". Check the path: upper and lower case differ.",
          null);
    }
    if (status / 100 == 3) {
      return refused(
          Advice.of("the Hub redirects without end, or to where a client must not go %s.", shown));
    }
    StorageException busy = StorageException.ofStatus(status, code, wait(headers), null);
    return busy.kind() == Kind.THROTTLED && !hasToken
        ? new StorageException(
            Kind.THROTTLED,
            Advice.of(
                "%s With a token, in HF_TOKEN or %s, the Hub grants more requests.",
                busy.advice(), TOKEN),
            busy.retryAfter(),
            null)
        : busy;
  }

  /// Returns the seconds to wait, as text.
  static Optional<String> wait(HttpHeaders headers) {
    Optional<String> after =
        headers.firstValue("retry-after").filter(text -> text.matches("[0-9]+"));
    if (after.isPresent()) {
      return after;
    }
    Matcher reset = RESET.matcher(headers.firstValue("ratelimit").orElse(""));
    return reset.find() ? Optional.of(reset.group(1)) : Optional.empty();
  }

  private static StorageException denied(Advice sentence) {
    return new StorageException(Kind.DENIED, sentence, null);
  }

  private static StorageException refused(Advice sentence) {
    return new StorageException(Kind.REFUSED, sentence, null);
  }
}
