/// Rows of slices: which of those that a format decodes are wanted, and copies of them.
@NullMarked
package dev.penstock.internal.slices;

import org.jspecify.annotations.NullMarked;
