@NullMarked
package dev.penstock.score.parquet;

import org.jspecify.annotations.NullMarked;
