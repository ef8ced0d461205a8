/// Tests of what the rows of Iceberg tables are, beside Iceberg's own reader.
@NullMarked
package dev.penstock.iceberg;

import org.jspecify.annotations.NullMarked;
