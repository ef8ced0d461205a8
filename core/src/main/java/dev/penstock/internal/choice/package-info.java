/// The names there are, where someone asked for another: [Choices].
@NullMarked
package dev.penstock.internal.choice;

import org.jspecify.annotations.NullMarked;
