/// How the bytes of a file become columns: what a file format implements.
///
/// Open [FileFormat] first. Users of the loader need only the exceptions.
@NullMarked
package dev.penstock.format;

import org.jspecify.annotations.NullMarked;
