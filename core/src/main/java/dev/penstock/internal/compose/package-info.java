/// What compositions make of the rows of one window.
///
/// Open [Composing] first.
@NullMarked
package dev.penstock.internal.compose;

import org.jspecify.annotations.NullMarked;
