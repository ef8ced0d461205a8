package dev.penstock.internal.request;

import dev.penstock.internal.document.JsonFields;
import dev.penstock.internal.document.JsonTree;
import dev.penstock.internal.request.LoadRequest.Compose;
import dev.penstock.internal.request.LoadRequest.Dataset;
import dev.penstock.internal.request.LoadRequest.Loader;
import dev.penstock.internal.request.LoadRequest.Part;
import java.lang.reflect.RecordComponent;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JsonGenerator;

/// A [LoadRequest] as JSON. It is read strictly: an unknown field is an error. Its records have the
/// fields that the JSON has; those of a [Part] stand in the object around it.
public final class RequestJson {
  private static final Set<String> HIDDEN = Set.of("cache", "sharedCache", "poisonMemory");

  private RequestJson() {}

  /// Reads a request. It opens nothing.
  ///
  /// @throws IllegalArgumentException if an option is wrong
  public static LoadRequest read(JsonFields fields) {
    Dataset dataset = readAll(Dataset.class, fields.nested("dataset"));
    return new LoadRequest(dataset, readAll(Loader.class, fields.nested("loader")));
  }

  /// Reads an object that has no other fields.
  static <R extends Record> R readAll(Class<R> type, JsonFields fields) {
    R record = read(type, fields);
    fields.requireNoOthers(names(type));
    return record;
  }

  /// Returns the fields of an object, but not those that clients cannot ask for.
  private static List<String> names(Class<?> type) {
    List<String> names = new ArrayList<>();
    for (RecordComponent component : type.getRecordComponents()) {
      if (Part.class.isAssignableFrom(component.getType())) {
        names.addAll(names(component.getType()));
      } else if (!HIDDEN.contains(component.getName())) {
        names.add(component.getName());
      }
    }
    return names;
  }

  private static <R extends Record> R read(Class<R> type, JsonFields fields) {
    RecordComponent[] components = type.getRecordComponents();
    @Nullable Object[] values = new Object[components.length];
    for (int i = 0; i < components.length; i++) {
      values[i] = read(components[i], fields);
    }
    try {
      return type.cast(type.getDeclaredConstructors()[0].newInstance(values));
    } catch (ReflectiveOperationException e) {
      throw new IllegalStateException("Cannot make a " + type + ": " + e, e);
    }
  }

  private static @Nullable Object read(RecordComponent component, JsonFields fields) {
    String name = component.getName();
    Class<?> type = component.getType();
    Option<?, ?> option = OptionTable.of(component);
    if (option != null) {
      return option.read(fields);
    }
    Class<? extends Record> record = type.asSubclass(Record.class);
    if (Part.class.isAssignableFrom(type)) {
      return read(record, fields);
    }
    return fields.has(name) || type == Dataset.class ? readAll(record, fields.nested(name)) : null;
  }

  static Compose compose(JsonFields fields, String name) {
    JsonFields object = fields.nested(name);
    String kind = object.text("kind");
    for (Class<?> type : Compose.class.getPermittedSubclasses()) {
      if (kind(type).equals(kind)) {
        return (Compose) readAll(type.asSubclass(Record.class), object);
      }
    }
    throw new IllegalArgumentException(
        "Cannot compose to '"
            + kind
            + "': expected balanced, buckets, packs, groups, windows or draws.");
  }

  private static String kind(Class<?> composition) {
    return composition.getSimpleName().toLowerCase(Locale.ROOT);
  }

  /// Writes a request. Values that may be secrets are not shown.
  public static String write(LoadRequest request) {
    return json(shown(request));
  }

  static String json(Object value) {
    return JsonTree.text(json -> write(json, value));
  }

  /// Returns what a record says, by name, as JSON has it.
  static Map<String, Object> shown(Object record) {
    Map<String, Object> fields = new LinkedHashMap<>();
    if (record instanceof Compose) {
      fields.put("kind", kind(record.getClass()));
    }
    for (RecordComponent component : record.getClass().getRecordComponents()) {
      Object value = OptionTable.value((Record) record, component);
      Option<?, ?> option = OptionTable.of(component);
      switch (value) {
        case null -> {}
        case Object _ when option != null -> fields.put(component.getName(), option.shown(value));
        case Part _ -> fields.putAll(shown(value));
        default -> fields.put(component.getName(), shown(value));
      }
    }
    return fields;
  }

  private static void write(JsonGenerator json, Object value) {
    switch (value) {
      case Map<?, ?> object -> {
        json.writeStartObject();
        object.forEach((name, each) -> {
          json.writeName((String) name);
          write(json, each);
        });
        json.writeEndObject();
      }
      case List<?> list -> {
        json.writeStartArray();
        list.forEach(each -> write(json, each));
        json.writeEndArray();
      }
      case Boolean truth -> json.writeBoolean(truth);
      case Long number -> json.writeNumber(number);
      case Integer number -> json.writeNumber(number);
      case Double number -> json.writeNumber(number);
      default -> json.writeString((String) value);
    }
  }
}
