@NullMarked
package dev.penstock.report.page;

import org.jspecify.annotations.NullMarked;
