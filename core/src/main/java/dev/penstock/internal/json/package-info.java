/// JSON files: an object on each line, or an array of objects.
///
/// Start with [JsonFiles], then [JsonReader], [JsonObject] and [JsonText].
@NullMarked
package dev.penstock.internal.json;

import org.jspecify.annotations.NullMarked;
