/// Suggestions for unknown names: [Choices].
@NullMarked
package dev.penstock.internal.choice;

import org.jspecify.annotations.NullMarked;
