@NullMarked
package dev.penstock.arrow.ipc;

import org.jspecify.annotations.NullMarked;
