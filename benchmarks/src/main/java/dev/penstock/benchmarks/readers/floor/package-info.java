/// What no reader can be faster than: decompressing the pages, and copying the values.
@NullMarked
package dev.penstock.benchmarks.readers.floor;

import org.jspecify.annotations.NullMarked;
