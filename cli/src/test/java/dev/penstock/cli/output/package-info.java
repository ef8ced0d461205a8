/// Tests of what the command prints, without a command.
@NullMarked
package dev.penstock.cli.output;

import org.jspecify.annotations.NullMarked;
