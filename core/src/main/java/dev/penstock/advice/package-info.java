/// What errors and warnings advise, as data, so that the command and Python can name options as
/// their users write them. As text, a message has Java's names.
@NullMarked
package dev.penstock.advice;

import org.jspecify.annotations.NullMarked;
