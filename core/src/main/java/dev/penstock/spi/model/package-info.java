/// Files of models, for modules that add a framework.
///
/// Open [dev.penstock.spi.model.ModelFormat] first.
@NullMarked
package dev.penstock.spi.model;

import org.jspecify.annotations.NullMarked;
