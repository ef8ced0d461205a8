/// For modules that read a table format: tables whose files a catalog lists, instead of folders.
/// Users of a loader do not need it.
///
/// Open [CatalogTable] first.
@NullMarked
package dev.penstock.spi.catalog;

import org.jspecify.annotations.NullMarked;
