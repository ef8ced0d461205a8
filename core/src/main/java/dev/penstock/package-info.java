/// What a user imports first: [StructuredDataset] says what to read, [DataLoader] delivers it, or
/// [RowDataset] row by row.
@NullMarked
package dev.penstock;

import org.jspecify.annotations.NullMarked;
