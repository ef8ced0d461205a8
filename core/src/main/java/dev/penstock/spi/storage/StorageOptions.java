package dev.penstock.spi.storage;

import dev.penstock.advice.Advice;
import dev.penstock.advice.Remedy;
import dev.penstock.internal.choice.Sentence;
import java.math.BigDecimal;
import java.net.URI;
import java.net.URISyntaxException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/// The options of a dataset's stores, such as endpoint, credentials and timeouts.
///
/// [#COMMON] has the keys that all network stores take; [Storage#optionKeys()] has the others.
/// Without options a store uses what its vendor's library finds in the environment.
///
/// **Secrets.** [#toString()] shows the values of options that are known to be harmless and hides
/// all others. Nothing else in the loader prints an option.
///
/// Immutable; equal if all options and the signer are equal, and both or none of them were
/// shortened by [#elsewhere()].
public final class StorageOptions {
  /// The options that every network store takes.
  public static final Set<String> COMMON =
      Set.of(
          "attempts",
          "ca-file",
          "concurrency",
          "connect-timeout",
          "deadline",
          "gap",
          "hedge-after",
          "proxy",
          "proxy-password",
          "proxy-username",
          "range",
          "read-timeout");

  /// No option at all.
  public static final StorageOptions NONE = new StorageOptions(Map.of(), Optional.empty(), false);

  private static final int PORT_MAX = 65_535;
  private static final String HIDDEN = "***";

  /// Those of [#COMMON] that are never shown.
  private static final Set<String> SECRET = Set.of("proxy-password", "proxy-username");

  /// Options without credentials, in addition to [#COMMON].
  private static final Set<String> HARMLESS =
      Set.of(
          "account",
          "anonymous",
          "config",
          "credentials-file",
          "endpoint",
          "path-style",
          "profile",
          "project",
          "region",
          "requester-pays",
          "split");

  /// Options that go into headers and URLs unchanged.
  private static final Set<String> VERBATIM =
      Set.of("access-key-id", "bearer-token", "project", "query", "sas-token", "session-token");

  private static final Pattern KEY = Pattern.compile("[a-z0-9]+(-[a-z0-9]+)*");
  private static final Pattern DURATION = Pattern.compile("([0-9]+(?:\\.[0-9]+)?)(ms|s|m)");

  private final Map<String, String> values;
  private final Optional<RequestSigner> signer;
  private final boolean isShortened;

  private StorageOptions(
      Map<String, String> values, Optional<RequestSigner> signer, boolean isShortened) {
    this.values = values;
    this.signer = signer;
    this.isShortened = isShortened;
  }

  /// {@return a copy with an option}
  ///
  /// @param key lower case words with hyphens, for example `endpoint`
  /// @param value its value, which replaces an earlier one
  /// @throws IllegalArgumentException if `key` has another form, or `value` contains characters
  ///   that no request can carry, such as a line break; the message does not show the value
  public StorageOptions with(String key, String value) {
    if (!KEY.matcher(key).matches()) {
      throw new IllegalArgumentException(
          "Cannot use '" + key + "' as a storage option: expected a key such as 'endpoint'.");
    }
    requireSendable(key, value);
    Map<String, String> changed = new TreeMap<>(values);
    changed.put(key, value);
    return new StorageOptions(changed, signer, isShortened);
  }

  /// {@return a copy with a signer for the requests, in stores that support one: S3}
  ///
  /// @param by the signer; options with equal signers share a store
  public StorageOptions withSigner(RequestSigner by) {
    return new StorageOptions(values, Optional.of(by), isShortened);
  }

  /// {@return the signer of the requests; empty if the store's client does it}
  public Optional<RequestSigner> signer() {
    return signer;
  }

  /// Refuses characters early that HTTP clients refuse with the whole header in the message.
  private static void requireSendable(String key, String value) {
    if (value.chars().anyMatch(Character::isISOControl)) {
      throw unsendable(
          key,
          "a line break or another control character. Leave that out; a file's text often ends with"
              + " a line break.");
    }
    if (VERBATIM.contains(key) && value.chars().anyMatch(c -> c <= ' ' || c > '~')) {
      throw unsendable(
          key, "a space or another character that requests cannot carry. Encode or leave it out.");
    }
  }

  private static IllegalArgumentException unsendable(String key, String held) {
    return Advice.argumentError(
        "Cannot use %s: its value holds %s", Remedy.storageOption(key), held);
  }

  /// {@return the keys that are set, unmodifiable}
  public Set<String> keys() {
    return Set.copyOf(values.keySet());
  }

  /// {@return a copy with some of the options, and the signer}
  ///
  /// @param keys the keys to keep
  public StorageOptions only(Set<String> keys) {
    Map<String, String> kept = new TreeMap<>(values);
    kept.keySet().retainAll(keys);
    return new StorageOptions(kept, signer, isShortened);
  }

  /// {@return the options for places that these were not given for: those of [#COMMON], which say
  /// how to get through the network, and no signer}
  public StorageOptions elsewhere() {
    StorageOptions kept = only(COMMON);
    return new StorageOptions(
        kept.values,
        Optional.empty(),
        isShortened || !kept.values.equals(values) || signer.isPresent());
  }

  /// {@return a sentence for errors where access is denied without options that are not for the
  /// place; empty if nothing was left out}
  Optional<Advice> leftOut() {
    return isShortened
        ? Optional.of(
            Advice.of(
                "Your storage options were not used there: a table's metadata names it, and they"
                    + " were given for the table. If they are meant for it, map its location to"
                    + " itself: %s.",
                Remedy.MAP_LOCATION))
        : Optional.empty();
  }

  /// {@return an option's value, which may be a secret; empty if it is not set}
  ///
  /// @param key the option
  public Optional<String> get(String key) {
    return Optional.ofNullable(values.get(key));
  }

  /// {@return whether an option is switched on: `true`, not `false` or unset}
  ///
  /// @param key the option
  /// @throws IllegalArgumentException if it has another value
  public boolean isOn(String key) {
    return get(key)
        .map(value ->
            switch (value) {
              case "true" -> true;
              case "false" -> false;
              default -> throw unfit(key, "'true' or 'false'");
            })
        .orElse(false);
  }

  /// {@return which of several mutually exclusive options is set; empty if none is}
  ///
  /// @param keys the options; `anonymous` counts as set if it is `true`
  /// @throws IllegalArgumentException if several are; the message names the first two
  public Optional<String> oneOf(List<String> keys) {
    List<String> set =
        keys.stream()
            .filter(key -> key.equals("anonymous") ? isOn(key) : get(key).isPresent())
            .toList();
    if (set.size() > 1) {
      throw new IllegalArgumentException(
          Sentence.of(
              "Cannot use storage options '%s' and '%s' together: set one of them.",
              set.get(0), set.get(1)));
    }
    return set.stream().findFirst();
  }

  /// {@return an option that is a whole number; empty if it is not set}
  ///
  /// @param key the option
  /// @param min the least value
  /// @param max the greatest value
  /// @throws IllegalArgumentException if it is not a number from `min` to `max`
  public OptionalLong number(String key, long min, long max) {
    String value = values.get(key);
    if (value == null) {
      return OptionalLong.empty();
    }
    try {
      long number = Long.parseLong(value);
      if (number >= min && number <= max) {
        return OptionalLong.of(number);
      }
    } catch (NumberFormatException _) {
      // Reported below.
    }
    String bound = max == Long.MAX_VALUE ? "of at least " + min : "in [" + min + ", " + max + "]";
    throw unfit(key, "a whole number " + bound);
  }

  /// {@return an option that is a time; empty if it is not set}
  ///
  /// @param key the option
  /// @throws IllegalArgumentException if it is not a number with `ms`, `s` or `m`, or is not above
  ///   0
  public Optional<Duration> duration(String key) {
    return get(key).map(value -> parse(key, value));
  }

  private Duration parse(String key, String value) {
    Matcher matcher = DURATION.matcher(value);
    if (matcher.matches() && value.length() <= 16) {
      int millis =
          switch (matcher.group(2)) {
            case "ms" -> 1;
            case "s" -> 1000;
            default -> 60_000;
          };
      long nanos =
          new BigDecimal(matcher.group(1)).multiply(BigDecimal.valueOf(millis * 1e6)).longValue();
      if (nanos > 0) {
        return Duration.ofNanos(nanos);
      }
    }
    throw unfit(key, "a time such as '500ms', '5s' or '2m'");
  }

  /// {@return an option that is the address of a service or a proxy, with a scheme and a host;
  /// empty if it is not set}
  ///
  /// @param key the option
  /// @throws IllegalArgumentException if it is not such an address, contains a user, or has an
  ///   invalid port
  public Optional<URI> address(String key) {
    return get(key)
        .map(value -> {
          try {
            URI uri = new URI(value);
            boolean hasHost = uri.getHost() != null && uri.getPort() <= PORT_MAX;
            if (hasHost && uri.getScheme() != null && uri.getUserInfo() == null) {
              return uri;
            }
          } catch (URISyntaxException _) {
            // Reported below.
          }
          boolean isUserOfProxy = key.equals("proxy") && value.indexOf('@') >= 0;
          throw unfit(
              key,
              "an address such as 'http://host:9000'"
                  + (isUserOfProxy
                      ? ", and user and password as 'proxy-username' and 'proxy-password'"
                      : ""));
        });
  }

  /// {@return the error for an option with an invalid value, which it shows if it is not a secret}
  ///
  /// @param key the option
  /// @param expected what would be valid
  public IllegalArgumentException unfit(String key, String expected) {
    return Advice.argumentError(
        "Cannot use %s: got '%s' but expected %s.",
        Remedy.storageOption(key), shown(key), expected);
  }

  /// {@return a foreign text with `***` for the value of every option that is not known to be
  /// harmless}
  ///
  /// @param text for example the message of a vendor's exception
  public String hide(String text) {
    String hidden = text;
    for (Map.Entry<String, String> option : values.entrySet()) {
      boolean secret = shown(option.getKey()).equals(HIDDEN);
      if (secret && option.getValue().length() > 3) {
        hidden = hidden.replace(option.getValue(), HIDDEN);
      }
    }
    return hidden;
  }

  private String shown(String key) {
    String value = values.getOrDefault(key, "");
    boolean harmless = HARMLESS.contains(key) || (COMMON.contains(key) && !SECRET.contains(key));
    // An address may contain a password.
    return harmless && value.indexOf('@') < 0 && value.indexOf('?') < 0 ? value : HIDDEN;
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof StorageOptions options
        && values.equals(options.values)
        && signer.equals(options.signer)
        && isShortened == options.isShortened;
  }

  @Override
  public int hashCode() {
    return 31 * values.hashCode() + signer.hashCode();
  }

  /// Shows the options, secrets hidden.
  @Override
  public String toString() {
    Map<String, String> shown = new TreeMap<>();
    values.keySet().forEach(key -> shown.put(key, shown(key)));
    return shown.toString();
  }
}
