/// Reads the log of a Delta table for Delta's library, from our stores and by our readers.
///
/// Open [LogEngine] first.
@NullMarked
package dev.penstock.delta.internal.log;

import org.jspecify.annotations.NullMarked;
