/// Penstock among the readers, through its public API.
@NullMarked
package dev.penstock.benchmarks.readers.penstock;

import org.jspecify.annotations.NullMarked;
