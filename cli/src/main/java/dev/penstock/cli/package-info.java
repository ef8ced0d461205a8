/// The `penstock` command: looks at data, at plans and at speed.
///
/// One class per command, named after it, and one per group of options that commands share. Package
/// `output` prints, `measure` has the measurements of `load`. Open [Main] first.
@NullMarked
package dev.penstock.cli;

import org.jspecify.annotations.NullMarked;
