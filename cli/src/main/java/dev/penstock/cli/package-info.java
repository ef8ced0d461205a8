/// The `penstock` command: looks at data, at plans and at speed.
///
/// One class per command, named for it. Open [Main] first.
@NullMarked
package dev.penstock.cli;

import org.jspecify.annotations.NullMarked;
