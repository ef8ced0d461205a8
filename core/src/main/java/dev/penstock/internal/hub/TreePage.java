package dev.penstock.internal.hub;

import dev.penstock.internal.choice.Sentence;
import dev.penstock.internal.http.HttpCalls;
import dev.penstock.storage.StorageException;
import java.util.ArrayList;
import java.util.List;
import tools.jackson.core.JacksonException;
import tools.jackson.core.JsonParser;
import tools.jackson.core.JsonToken;
import tools.jackson.core.ObjectReadContext;
import tools.jackson.core.json.JsonFactory;

/// The Hub's answers in JSON, of which only what is needed is read.
final class TreePage {
  /// A file of a commit.
  ///
  /// @param path in the repository
  /// @param oid a hash of its contents
  record Entry(String path, long bytes, String oid) {}

  private static final JsonFactory JSON = new JsonFactory();

  private TreePage() {}

  /// Reads a page of a list; folders in it are left out.
  ///
  /// @throws StorageException if it is not one
  static List<Entry> entries(String text) throws StorageException {
    List<Entry> entries = new ArrayList<>();
    try (JsonParser json = JSON.createParser(ObjectReadContext.empty(), text)) {
      require(json.nextToken() == JsonToken.START_ARRAY);
      while (json.nextToken() != JsonToken.END_ARRAY) {
        entry(json, entries);
      }
      require(json.nextToken() == null);
    } catch (JacksonException e) {
      throw broken();
    }
    return entries;
  }

  private static void entry(JsonParser json, List<Entry> entries) throws StorageException {
    require(json.currentToken() == JsonToken.START_OBJECT);
    String type = "";
    String path = "";
    String oid = "";
    String largeOid = "";
    long bytes = -1;
    while (json.nextToken() != JsonToken.END_OBJECT) {
      String name = json.currentName();
      JsonToken value = json.nextToken();
      switch (name) {
        case "type" -> type = text(json);
        case "path" -> path = text(json);
        case "oid" -> oid = text(json);
        case "size" -> bytes = value == JsonToken.VALUE_NUMBER_INT ? json.getLongValue() : -1;
        case "lfs" -> largeOid = value == JsonToken.START_OBJECT ? largeOid(json) : skipped(json);
        default -> json.skipChildren();
      }
    }
    if (!type.equals("file")) {
      return;
    }
    if (bytes < 0) {
      throw HttpCalls.refused(
          Sentence.of("the Hub's list does not say how large '%s' is. Try again later.", path));
    }
    entries.add(new Entry(path, bytes, largeOid.isEmpty() ? oid : largeOid));
  }

  private static String largeOid(JsonParser json) throws StorageException {
    String oid = "";
    while (json.nextToken() != JsonToken.END_OBJECT) {
      boolean isOid = json.currentName().equals("oid");
      json.nextToken();
      if (isOid) {
        oid = text(json);
      } else {
        json.skipChildren();
      }
    }
    return oid;
  }

  private static String skipped(JsonParser json) {
    json.skipChildren();
    return "";
  }

  /// Reads the commit of a revision.
  static String commit(String text) throws StorageException {
    String commit = "";
    try (JsonParser json = JSON.createParser(ObjectReadContext.empty(), text)) {
      require(json.nextToken() == JsonToken.START_OBJECT);
      while (json.nextToken() != JsonToken.END_OBJECT) {
        boolean isCommit = json.currentName().equals("sha");
        json.nextToken();
        if (isCommit) {
          commit = text(json);
        } else {
          json.skipChildren();
        }
      }
    } catch (JacksonException e) {
      throw broken();
    }
    require(HubPath.isCommit(commit));
    return commit;
  }

  private static String text(JsonParser json) throws StorageException {
    require(json.currentToken() == JsonToken.VALUE_STRING);
    return json.getString();
  }

  private static void require(boolean isAsDocumented) throws StorageException {
    if (!isAsDocumented) {
      throw broken();
    }
  }

  /// Another attempt may bring all of it.
  private static StorageException broken() {
    return new StorageException(
        StorageException.Kind.UNAVAILABLE,
        "its answer is cut, or not the JSON that the Hub documents. Check storage option 'endpoint',"
            + " and try again later.",
        null);
  }
}
