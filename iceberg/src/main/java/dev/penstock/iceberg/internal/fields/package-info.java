/// The columns of one file, matched by field id and with the table's names and types.
///
/// Open [MatchedFormat] first, which makes a data file look like the table. [StoredField] is a
/// column of the file, [Match] its counterpart in the table.
@NullMarked
package dev.penstock.iceberg.internal.fields;

import org.jspecify.annotations.NullMarked;
