/// The metadata of a Parquet file: schema, places of chunks, statistics.
///
/// Start with [ParquetMetadata], then [FooterReader], which reads it. [Thrift] reads the structures
/// of the format from bytes that may be hostile; a [PageException] reports what cannot be decoded,
/// and [Where] adds the place.
@NullMarked
package dev.penstock.internal.parquet.footer;

import org.jspecify.annotations.NullMarked;
