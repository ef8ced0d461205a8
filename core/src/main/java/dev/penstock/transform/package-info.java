/// Feature engineering on columns, before rows are batched.
@NullMarked
package dev.penstock.transform;

import org.jspecify.annotations.NullMarked;
