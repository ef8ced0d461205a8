/// What the contracts are made of: plain evaluations to compare with, and strict memory.
package dev.penstock.tck.internal;
