/// What users of a loader see of files: the exceptions for faulty files, and their [RowGroup]s,
/// which split strategies pack.
///
/// Open [MalformedFileException] first. What a file format implements is in
/// `dev.penstock.spi.format`.
@NullMarked
package dev.penstock.format;

import org.jspecify.annotations.NullMarked;
