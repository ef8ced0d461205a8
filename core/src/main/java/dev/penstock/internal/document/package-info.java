/// Strict reading of small JSON documents of our own.
///
/// Open [JsonTree] first.
@NullMarked
package dev.penstock.internal.document;

import org.jspecify.annotations.NullMarked;
