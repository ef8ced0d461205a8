/// Apache Avro files, decoded straight into columns.
///
/// Open [AvroFormat] first.
@NullMarked
package dev.penstock.avro;

import org.jspecify.annotations.NullMarked;
