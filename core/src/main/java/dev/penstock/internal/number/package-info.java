/// Rounding that Java does not do in one step: [Float16].
@NullMarked
package dev.penstock.internal.number;

import org.jspecify.annotations.NullMarked;
