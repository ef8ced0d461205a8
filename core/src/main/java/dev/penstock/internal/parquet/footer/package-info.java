/// What a Parquet file says of itself: schema, places of chunks, statistics.
///
/// Open [ParquetMetadata] first, then [FooterReader], which makes it. [Thrift] reads the structures
/// of the format from bytes that may be hostile; what cannot be decoded is a [PageException] until
/// [Where] gives it a place.
@NullMarked
package dev.penstock.internal.parquet.footer;

import org.jspecify.annotations.NullMarked;
