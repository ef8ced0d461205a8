package dev.penstock.iceberg.internal.files;

import dev.penstock.advice.Advice;
import dev.penstock.advice.Remedy;
import dev.penstock.spi.storage.StorageOptions;
import dev.penstock.storage.Location;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.apache.iceberg.io.StorageCredential;

/// The options of stores: from the user, and from a catalog in Iceberg's properties.
///
/// Each of Iceberg's properties is for one store, those of Azure for one account, and goes nowhere
/// else. Options of ours, the user's and the catalog's, go to the places that the user or the
/// catalog names. There credentials from the user replace all credentials from the catalog.
///
/// Immutable.
public final class StoreAccess {
  /// The property prefix of a user's storage options.
  public static final String OPTION = "penstock.storage.";

  /// The property prefix of a catalog's storage options for which Iceberg has no property.
  private static final String GRANTED = "penstock.granted.";

  /// Asks a catalog for credentials.
  private static final String DELEGATION = "header.X-Iceberg-Access-Delegation=vended-credentials";

  /// Grants are renewed this long before they expire.
  private static final long MARGIN_MILLIS = 5 * 60_000;

  /// Iceberg's properties of S3 and their names here.
  private static final Map<String, String> OF_S3 =
      Map.of(
          "s3.endpoint", "endpoint",
          "s3.access-key-id", "access-key-id",
          "s3.secret-access-key", "secret-access-key",
          "s3.session-token", "session-token",
          "s3.path-style-access", "path-style",
          "client.region", "region");

  /// Iceberg's properties of Google Cloud Storage.
  private static final Map<String, String> OF_GCS =
      Map.of(
          "gcs.oauth2.token", "bearer-token",
          "gcs.project-id", "project",
          "gcs.service.host", "endpoint");

  /// Iceberg's properties that end in an Azure account.
  private static final Map<String, String> OF_ACCOUNT =
      Map.of(
          "adls.sas-token.", "sas-token",
          "adls.connection-string.", "connection-string");

  /// The account in an Azure location.
  private static final Pattern ACCOUNT = Pattern.compile("[^/]*://[^/]*@([^./]+).*");

  private static final Set<String> CREDENTIALS =
      Set.of(
          "access-key-id",
          "secret-access-key",
          "session-token",
          "profile",
          "anonymous",
          "bearer-token",
          "account-key",
          "sas-token",
          "connection-string",
          "credentials-file",
          "username",
          "password");

  private static final Set<String> EXPIRIES =
      Set.of(
          "s3.session-token-expires-at-ms",
          "gcs.oauth2.token-expires-at",
          GRANTED + "expires-at-ms");

  /// The property of a catalog that signs each request itself.
  private static final String SIGNS = "s3.remote-signing-enabled";

  private static final String ACCOUNT_EXPIRY = "adls.sas-token-expires-at-ms.";

  private final Map<String, String> properties;
  private final List<Grant> grants; // longest prefix first

  /// The access to files whose location starts with a prefix.
  private record Grant(String prefix, Map<String, String> properties, long endMillis) {}

  private StoreAccess(Map<String, String> properties, List<Grant> grants) {
    this.properties = properties;
    this.grants = grants;
  }

  public static StoreAccess of(Map<String, String> properties) {
    return new StoreAccess(Map.copyOf(properties), List.of(grant("", properties)));
  }

  /// Returns the access with a catalog's further grants for files below some prefixes.
  public StoreAccess with(List<StorageCredential> credentials) {
    List<Grant> all = new ArrayList<>();
    for (StorageCredential credential : credentials) {
      Map<String, String> merged = new HashMap<>(properties);
      merged.putAll(credential.config());
      all.add(grant(credential.prefix(), merged));
    }
    all.sort(Comparator.comparingInt((Grant grant) -> grant.prefix.length()).reversed());
    all.add(grant("", properties));
    return new StoreAccess(properties, all);
  }

  private static Grant grant(String prefix, Map<String, String> properties) {
    return new Grant(prefix, Map.copyOf(properties), end(properties));
  }

  /// Returns the user's options.
  StorageOptions told() {
    return options(below(OPTION, properties));
  }

  private static StorageOptions options(Map<String, String> values) {
    StorageOptions options = StorageOptions.NONE;
    for (Map.Entry<String, String> value : values.entrySet()) {
      options = options.with(value.getKey(), value.getValue());
    }
    return options;
  }

  private static Map<String, String> below(String start, Map<String, String> properties) {
    Map<String, String> values = new TreeMap<>();
    properties.forEach((name, value) -> {
      if (name.startsWith(start) && !EXPIRIES.contains(name)) {
        values.put(name.substring(start.length()), value);
      }
    });
    return values;
  }

  /// Returns the options of a file's store.
  ///
  /// @param isNamed whether the user or the catalog named the place, not only the table's metadata
  public StorageOptions options(Location location, boolean isNamed) {
    Map<String, String> stated = grant(location).properties;
    StorageOptions own = options(below(OPTION, stated));
    if (!isNamed) {
      own = own.elsewhere();
    }
    boolean hasOwn = !Collections.disjoint(own.keys(), CREDENTIALS);
    Map<String, String> theirs = ofStore(location, stated);
    if (isNamed) {
      theirs.putAll(below(GRANTED, stated));
    }
    for (Map.Entry<String, String> each : theirs.entrySet()) {
      boolean isReplaced = hasOwn && CREDENTIALS.contains(each.getKey());
      if (!isReplaced && own.get(each.getKey()).isEmpty()) {
        own = own.with(each.getKey(), each.getValue());
      }
    }
    return signs(stated) && !hasOwn && isS3(location)
        ? CatalogSigner.of(stated).map(own::withSigner).orElse(own)
        : own;
  }

  private static boolean isS3(Location location) {
    return location.scheme().startsWith("s3");
  }

  /// Returns what Iceberg's properties say of a file's store.
  private static Map<String, String> ofStore(Location location, Map<String, String> properties) {
    return switch (location.scheme()) {
      case "s3", "s3a" -> renamed(OF_S3, properties);
      case "gs", "gcs" -> renamed(OF_GCS, properties);
      case "az", "abfs", "abfss" -> ofAccount(location, properties);
      default -> new TreeMap<>();
    };
  }

  private static Map<String, String> renamed(
      Map<String, String> names, Map<String, String> properties) {
    Map<String, String> options = new TreeMap<>();
    names.forEach((name, ours) -> {
      String value = properties.get(name);
      if (value != null) {
        options.put(ours, value);
      }
    });
    return options;
  }

  /// Returns the options of an account, which properties name alone or as the first part of a host.
  /// A location without an account takes those of the only one.
  private static Map<String, String> ofAccount(Location location, Map<String, String> properties) {
    Matcher named = ACCOUNT.matcher(location.text());
    Map<String, Map<String, String>> accounts = new TreeMap<>();
    properties.forEach((name, value) ->
        OF_ACCOUNT.forEach((start, ours) -> {
          if (name.startsWith(start)) {
            String account = name.substring(start.length());
            int dot = account.indexOf('.');
            accounts
                .computeIfAbsent(
                    dot < 0 ? account : account.substring(0, dot), _ -> new TreeMap<>())
                .put(ours, value);
          }
        }));
    if (named.matches()) {
      return accounts.getOrDefault(named.group(1), new TreeMap<>());
    }
    return accounts.size() == 1 ? accounts.values().iterator().next() : new TreeMap<>();
  }

  private static boolean signs(Map<String, String> properties) {
    return properties.getOrDefault(SIGNS, "").equalsIgnoreCase("true");
  }

  private static long end(Map<String, String> properties) {
    long end = Long.MAX_VALUE;
    for (Map.Entry<String, String> property : properties.entrySet()) {
      String name = property.getKey();
      boolean isEnd = EXPIRIES.contains(name) || name.startsWith(ACCOUNT_EXPIRY);
      if (isEnd && property.getValue().matches("[0-9]{1,18}")) {
        end = Math.min(end, Long.parseLong(property.getValue()));
      }
    }
    return end;
  }

  private Grant grant(Location location) {
    return grants.stream()
        .filter(grant -> location.text().startsWith(grant.prefix))
        .findFirst()
        .orElseThrow();
  }

  /// Returns whether the access to a file expires so soon that it should be renewed.
  boolean endsSoon(Location location) {
    return grant(location).endMillis - MARGIN_MILLIS < System.currentTimeMillis();
  }

  /// Returns a hint for access-denied errors, if no credentials were found.
  Optional<Advice> missing(StorageOptions options) {
    boolean told = !Collections.disjoint(options.keys(), CREDENTIALS);
    return told || !signs(properties)
        ? Optional.empty()
        : Optional.of(
            Advice.of(
                "The table's catalog gives no credentials but signs requests to S3 itself (remote"
                    + " signing). If that is not enough, ask it for credentials by %s, or give your"
                    + " own by storage options.",
                Remedy.of("catalog", DELEGATION, "catalog option '" + DELEGATION + "'")));
  }

  /// Returns whether stores may get credentials, so that a new answer of the catalog may help.
  boolean isGranted() {
    return grants.stream()
        .map(grant -> grant.properties)
        .anyMatch(
            stated -> signs(stated) || stated.keySet().stream().anyMatch(StoreAccess::grants));
  }

  private static boolean grants(String property) {
    String ours =
        property.startsWith(OPTION)
            ? property.substring(OPTION.length())
            : property.startsWith(GRANTED)
                ? property.substring(GRANTED.length())
                : OF_S3.getOrDefault(property, OF_GCS.getOrDefault(property, ""));
    return CREDENTIALS.contains(ours)
        || OF_ACCOUNT.keySet().stream().anyMatch(property::startsWith);
  }
}
