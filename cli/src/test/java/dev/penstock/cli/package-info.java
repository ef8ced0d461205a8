/// Tests of the command: each runs it within this process.
@NullMarked
package dev.penstock.cli;

import org.jspecify.annotations.NullMarked;
