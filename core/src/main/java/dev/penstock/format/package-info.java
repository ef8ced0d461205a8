/// What users of a loader meet of files: the exceptions that say what is wrong with one, and its
/// [RowGroup]s, which split strategies pack.
///
/// Open [MalformedFileException] first. What a file format implements is in
/// `dev.penstock.spi.format`.
@NullMarked
package dev.penstock.format;

import org.jspecify.annotations.NullMarked;
