/// Tests of what this module brings together.
@NullMarked
package dev.penstock.iceberg.glue;

import org.jspecify.annotations.NullMarked;
