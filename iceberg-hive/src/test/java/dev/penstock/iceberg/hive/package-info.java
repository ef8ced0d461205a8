/// Tests of what this module brings together.
@NullMarked
package dev.penstock.iceberg.hive;

import org.jspecify.annotations.NullMarked;
