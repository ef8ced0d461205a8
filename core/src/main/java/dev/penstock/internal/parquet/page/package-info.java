/// The pages of a column chunk: found, read, checked and decompressed.
///
/// Start with [PageReader]. It returns a [PageHeader] and then a [Page], whose levels and values
/// others decode.
@NullMarked
package dev.penstock.internal.parquet.page;

import org.jspecify.annotations.NullMarked;
