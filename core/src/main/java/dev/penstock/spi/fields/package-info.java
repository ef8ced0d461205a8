/// For tables that identify the columns of their files by number: columns of one file, under the
/// names and types of the table.
///
/// Open [MatchedFormat] first, which makes a data file look like the table. [TableField] is a
/// column of the table, [StoredField] one of a file, [FieldIds] says which belong together.
@NullMarked
package dev.penstock.spi.fields;

import org.jspecify.annotations.NullMarked;
