/// What loaders did, as pages for people to look at: [Report] collects it and writes it.
@NullMarked
package dev.penstock.report;

import org.jspecify.annotations.NullMarked;
