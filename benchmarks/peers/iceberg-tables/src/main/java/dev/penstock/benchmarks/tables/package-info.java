/// Tables that benchmarks read. [dev.penstock.benchmarks.tables.Generate] writes them.
@NullMarked
package dev.penstock.benchmarks.tables;

import org.jspecify.annotations.NullMarked;
