/// How numbers are rounded that Java does not round at once: [Float16].
@NullMarked
package dev.penstock.internal.number;

import org.jspecify.annotations.NullMarked;
