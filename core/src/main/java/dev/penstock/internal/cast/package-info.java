/// Turns columns of one type into columns of another, or of one value. Start with [Converter].
@NullMarked
package dev.penstock.internal.cast;

import org.jspecify.annotations.NullMarked;
