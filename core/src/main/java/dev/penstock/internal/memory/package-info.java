/// Off-heap memory: counted, pooled, freed when closed.
///
/// Open [BatchMemory] first.
@NullMarked
package dev.penstock.internal.memory;

import org.jspecify.annotations.NullMarked;
