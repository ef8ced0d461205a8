/// The rows of files by number.
///
/// Open [RowStore] first: it decodes blocks of rows and keeps those used last.
@NullMarked
package dev.penstock.internal.rows;

import org.jspecify.annotations.NullMarked;
