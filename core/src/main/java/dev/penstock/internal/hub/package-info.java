/// Files of the Hugging Face Hub. Start with [dev.penstock.internal.hub.HubStorage].
@NullMarked
package dev.penstock.internal.hub;

import org.jspecify.annotations.NullMarked;
