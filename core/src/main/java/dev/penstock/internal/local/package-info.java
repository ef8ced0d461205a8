/// Files of the local file system.
@NullMarked
package dev.penstock.internal.local;

import org.jspecify.annotations.NullMarked;
