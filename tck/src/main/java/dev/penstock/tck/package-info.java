/// The contracts of formats and stores as JUnit tests. Start at
/// [dev.penstock.tck.FileFormatContract] and [dev.penstock.tck.StorageContract].
package dev.penstock.tck;
