/// Strict reading of small JSON documents of our own, and writing.
///
/// Start with [JsonTree].
@NullMarked
package dev.penstock.internal.document;

import org.jspecify.annotations.NullMarked;
