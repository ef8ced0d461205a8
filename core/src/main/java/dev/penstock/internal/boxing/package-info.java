/// Java objects of decoded values.
///
/// Open [ObjectMaker] first: one for each type.
@NullMarked
package dev.penstock.internal.boxing;

import org.jspecify.annotations.NullMarked;
