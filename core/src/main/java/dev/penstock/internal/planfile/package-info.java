/// Plan files: what planning found of a table's files, in a file that every rank reads instead of
/// their footers. docs/reference/plan-file.md describes the format.
///
/// Begin with [PlanFile][dev.penstock.internal.planfile.PlanFile].
@NullMarked
package dev.penstock.internal.planfile;

import org.jspecify.annotations.NullMarked;
