/// Apache ORC files, read by `orc-core`, which brings Hadoop's classes with it.
///
/// Open [OrcFormat] first. Nothing of Hadoop touches a disk or a network: all bytes come from the
/// [dev.penstock.spi.storage.StorageFile] that the loader opened.
@NullMarked
package dev.penstock.orc;

import org.jspecify.annotations.NullMarked;
