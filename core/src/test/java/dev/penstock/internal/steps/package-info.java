@NullMarked
package dev.penstock.internal.steps;

import org.jspecify.annotations.NullMarked;
