package dev.penstock.iceberg.internal.files;

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
import org.apache.iceberg.io.StorageCredential;

/// The options of stores: from the user, and from a catalog in Iceberg's properties.
///
/// Credentials from the user replace all credentials from the catalog.
///
/// Immutable.
public final class StoreAccess {
  /// The property prefix of a user's storage options.
  public static final String OPTION = "penstock.storage.";

  /// The property prefix of a catalog's storage options for which Iceberg has no property.
  private static final String GRANTED = "penstock.granted.";

  /// Grants are renewed this long before they expire.
  private static final long MARGIN_MILLIS = 5 * 60_000;

  /// Iceberg's properties and their names here.
  private static final Map<String, String> KNOWN =
      Map.of(
          "s3.endpoint", "endpoint",
          "s3.access-key-id", "access-key-id",
          "s3.secret-access-key", "secret-access-key",
          "s3.session-token", "session-token",
          "s3.path-style-access", "path-style",
          "client.region", "region",
          "gcs.oauth2.token", "bearer-token",
          "gcs.project-id", "project",
          "gcs.service.host", "endpoint");

  /// Iceberg's properties that end in an Azure account.
  private static final Map<String, String> OF_ACCOUNT =
      Map.of(
          "adls.sas-token.", "sas-token",
          "adls.connection-string.", "connection-string");

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
  private record Grant(String prefix, StorageOptions options, long endMillis) {}

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
    Map<String, String> theirs = new TreeMap<>();
    KNOWN.forEach((name, ours) -> {
      String value = properties.get(name);
      if (value != null) {
        theirs.put(ours, value);
      }
    });
    Map<String, String> options = new TreeMap<>();
    properties.forEach((name, value) -> {
      OF_ACCOUNT.forEach((start, ours) -> {
        if (name.startsWith(start)) {
          theirs.put(ours, value);
        }
      });
      if (name.startsWith(OPTION)) {
        options.put(name.substring(OPTION.length()), value);
      } else if (name.startsWith(GRANTED) && !EXPIRIES.contains(name)) {
        theirs.put(name.substring(GRANTED.length()), value);
      }
    });
    if (!Collections.disjoint(options.keySet(), CREDENTIALS)) {
      theirs.keySet().removeAll(CREDENTIALS);
    }
    theirs.forEach(options::putIfAbsent);
    StorageOptions told = StorageOptions.NONE;
    for (Map.Entry<String, String> option : options.entrySet()) {
      told = told.with(option.getKey(), option.getValue());
    }
    if (signs(properties) && Collections.disjoint(options.keySet(), CREDENTIALS)) {
      told = CatalogSigner.of(properties).map(told::withSigner).orElse(told);
    }
    return new Grant(prefix, told, end(properties));
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

  /// Returns the options of a file's store.
  public StorageOptions options(Location location) {
    return grant(location).options;
  }

  /// Returns whether the access to a file expires so soon that it should be renewed.
  boolean endsSoon(Location location) {
    return grant(location).endMillis - MARGIN_MILLIS < System.currentTimeMillis();
  }

  /// Returns a hint for access-denied errors, if no credentials were found.
  Optional<String> missing(Location location) {
    boolean told = !Collections.disjoint(options(location).keys(), CREDENTIALS);
    return told || !signs(properties)
        ? Optional.empty()
        : Optional.of(
            "The table's catalog gives no credentials but signs requests to S3 itself (remote"
                + " signing). If that is not enough, ask it for credentials by catalog option"
                + " 'header.X-Iceberg-Access-Delegation=vended-credentials', or give your own by"
                + " storage options.");
  }

  /// Returns whether stores get credentials, so that a new answer of the catalog may help.
  boolean isGranted() {
    return grants.stream()
        .map(grant -> grant.options)
        .anyMatch(
            told -> told.signer().isPresent() || !Collections.disjoint(told.keys(), CREDENTIALS));
  }
}
