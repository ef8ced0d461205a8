/// CSV: the dialect, records into fields, fields into columns.
///
/// Start with [CsvFormat], then [CsvReader] and [FieldSplitter].
@NullMarked
package dev.penstock.internal.csv;

import org.jspecify.annotations.NullMarked;
