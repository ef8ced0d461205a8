/// Shared by all text formats: compression and encoding, ends of records, types from a sample, and
/// parsing of values.
///
/// Start with [TextInput] and [TextColumn].
@NullMarked
package dev.penstock.internal.text;

import org.jspecify.annotations.NullMarked;
