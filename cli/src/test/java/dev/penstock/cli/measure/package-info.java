/// Tests of what `load` measures, without a command.
@NullMarked
package dev.penstock.cli.measure;

import org.jspecify.annotations.NullMarked;
