/// Off-heap memory: counted, pooled, freed when closed.
///
/// Start with [BatchMemory].
@NullMarked
package dev.penstock.internal.memory;

import org.jspecify.annotations.NullMarked;
