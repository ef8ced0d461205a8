/// The rows of files by number.
///
/// Start with [RowStore]: it decodes blocks of rows and keeps the most recently used.
@NullMarked
package dev.penstock.internal.rows;

import org.jspecify.annotations.NullMarked;
