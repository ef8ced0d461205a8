/// What other libraries of the JVM read of CSV, JSON, ORC and Avro: open [FormatReader] first.
@NullMarked
package dev.penstock.benchmarks.formats;

import org.jspecify.annotations.NullMarked;
