/// Apache ORC files, read with `orc-core`, which depends on Hadoop's classes.
///
/// Open [OrcFormat] first. Hadoop's code never touches a disk or network: all bytes come from the
/// [dev.penstock.spi.storage.StorageFile] that the loader opened.
@NullMarked
package dev.penstock.orc;

import org.jspecify.annotations.NullMarked;
