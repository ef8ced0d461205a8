/// Whole programs that use Penstock, one a file; `examples/run NAME` runs them.
@NullMarked
package dev.penstock.examples;

import org.jspecify.annotations.NullMarked;
