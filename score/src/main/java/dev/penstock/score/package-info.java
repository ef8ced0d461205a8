/// Models over tables: each row scored once, written as Parquet.
@NullMarked
package dev.penstock.score;

import org.jspecify.annotations.NullMarked;
