/// The columns of one file by their field ids, under the names and in the types that they have in
/// the table.
///
/// Open [MatchedFormat] first, which makes a data file look like the table. [StoredField] is a
/// column as the file has it, [Match] one beside the table's.
@NullMarked
package dev.penstock.iceberg.internal.fields;

import org.jspecify.annotations.NullMarked;
