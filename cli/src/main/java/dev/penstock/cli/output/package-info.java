/// How the command prints: tables, rows and JSON to standard output, progress to standard error.
///
/// Knows no command. Open [Terminal] first, through which all of it goes, then [TextTable] for what
/// people read and [JsonWriter] for what programs do.
@NullMarked
package dev.penstock.cli.output;

import org.jspecify.annotations.NullMarked;
