/// Tables whose files a catalog lists, instead of folders: what a module brings that reads a table
/// format.
@NullMarked
package dev.penstock.catalog;

import org.jspecify.annotations.NullMarked;
