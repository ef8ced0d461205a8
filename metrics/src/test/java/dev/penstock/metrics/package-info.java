@NullMarked
package dev.penstock.metrics;

import org.jspecify.annotations.NullMarked;
