/// Tests of how the files of a table are opened.
@NullMarked
package dev.penstock.iceberg.internal.files;

import org.jspecify.annotations.NullMarked;
