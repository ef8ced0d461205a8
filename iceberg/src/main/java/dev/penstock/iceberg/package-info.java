/// Apache Iceberg tables: planned by `iceberg-core`, their files decoded by Penstock.
@NullMarked
package dev.penstock.iceberg;

import org.jspecify.annotations.NullMarked;
