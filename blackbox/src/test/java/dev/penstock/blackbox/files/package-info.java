/// Tables, writers of their files that are not ours, and stores that fail or wait on demand.
package dev.penstock.blackbox.files;
