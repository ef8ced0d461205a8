/// The `penstock` command: looks at data, at plans and at speed.
///
/// One class per command, named for it, and one per group of options that commands share. What they
/// print is in `output`, what `load` measures of rows in `measure`. Open [Main] first.
@NullMarked
package dev.penstock.cli;

import org.jspecify.annotations.NullMarked;
