/// How the command prints: tables, rows and JSON to standard output, progress to standard error.
///
/// It does not depend on any command. Open [Terminal] first, through which all output goes, then
/// [TextTable] for output to people and [ValueRenderer] for the rows that `cat` prints. Those have
/// their own JSON writer, which takes less time than Jackson's for millions of values.
@NullMarked
package dev.penstock.cli.output;

import org.jspecify.annotations.NullMarked;
