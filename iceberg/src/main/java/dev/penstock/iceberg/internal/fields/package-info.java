/// Iceberg's columns and types in core's form: [FileIds] identifies the columns of files.
@NullMarked
package dev.penstock.iceberg.internal.fields;

import org.jspecify.annotations.NullMarked;
