/// The classes to start with: [StructuredDataset] says what to read; [DataLoader] delivers it in
/// batches, [RowDataset] row by row.
@NullMarked
package dev.penstock;

import org.jspecify.annotations.NullMarked;
