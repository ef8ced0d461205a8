/// Tests of the bundled example.
@NullMarked
package dev.penstock.cli.demo;

import org.jspecify.annotations.NullMarked;
