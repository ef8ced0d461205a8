/// Apache Avro files, decoded directly into columns.
///
/// Open [AvroFormat] first.
@NullMarked
package dev.penstock.avro;

import org.jspecify.annotations.NullMarked;
