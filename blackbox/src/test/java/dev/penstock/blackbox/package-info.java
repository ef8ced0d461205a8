/// Tests of everything together, through exported packages only.
package dev.penstock.blackbox;
