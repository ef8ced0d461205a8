/// Readers of files, each by another library.
@NullMarked
package dev.penstock.benchmarks.formats.peers;

import org.jspecify.annotations.NullMarked;
