/// Off-heap memory: counted, pooled, freed when closed.
///
/// Open [SlabPool] first.
@NullMarked
package dev.penstock.internal.memory;

import org.jspecify.annotations.NullMarked;
