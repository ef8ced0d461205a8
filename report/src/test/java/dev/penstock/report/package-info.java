@NullMarked
package dev.penstock.report;

import org.jspecify.annotations.NullMarked;
