/// The pages of a column chunk: found, read, checked and decompressed.
///
/// Open [PageReader] first. It makes a [PageHeader] and then a [Page], whose levels and values are
/// for others to decode.
@NullMarked
package dev.penstock.internal.parquet.page;

import org.jspecify.annotations.NullMarked;
