/// Arrow C++ among the readers, through its Java bindings.
@NullMarked
package dev.penstock.benchmarks.readers.arrow;

import org.jspecify.annotations.NullMarked;
