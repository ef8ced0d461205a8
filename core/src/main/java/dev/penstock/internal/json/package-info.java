/// Files of JSON: an object on each line, or an array of objects.
///
/// Open [JsonFiles] first, then [JsonReader], [JsonObject] and [JsonText].
@NullMarked
package dev.penstock.internal.json;

import org.jspecify.annotations.NullMarked;
