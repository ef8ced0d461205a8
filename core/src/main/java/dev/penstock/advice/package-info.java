/// What errors and warnings advise, as data: so that each door writes the names of options as its
/// users do. In Java a message is a text with Java's names, as always.
@NullMarked
package dev.penstock.advice;

import org.jspecify.annotations.NullMarked;
