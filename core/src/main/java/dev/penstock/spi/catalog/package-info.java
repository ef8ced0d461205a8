/// Tables whose files a catalog lists, instead of folders: for a module that reads a table format.
/// Users of a loader need none of it.
///
/// Open [CatalogTable] first.
@NullMarked
package dev.penstock.spi.catalog;

import org.jspecify.annotations.NullMarked;
