/// Java objects of decoded values.
///
/// Start with [ObjectMaker]: there is one for each type.
@NullMarked
package dev.penstock.internal.boxing;

import org.jspecify.annotations.NullMarked;
