/// Compares what formats and stores of others give with the rules of `spi.format` and
/// `spi.storage`, and names the class that breaks one.
///
/// Start with [CheckedFormat] and [CheckedStorage].
@NullMarked
package dev.penstock.internal.checked;

import org.jspecify.annotations.NullMarked;
