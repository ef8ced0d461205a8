@NullMarked
package dev.penstock.avro;

import org.jspecify.annotations.NullMarked;
