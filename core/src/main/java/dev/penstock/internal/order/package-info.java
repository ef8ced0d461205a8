/// What an epoch delivers, decided before a row of it is read. [EpochOrder] makes its rows, each
/// kind in a file of its own; [EpochPlanner] deals them to ranks and finds where a state goes on.
@NullMarked
package dev.penstock.internal.order;

import org.jspecify.annotations.NullMarked;
