@NullMarked
package dev.penstock.orc;

import org.jspecify.annotations.NullMarked;
