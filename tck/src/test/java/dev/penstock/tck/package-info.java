/// The contracts, which let what is right pass and find each seeded fault.
package dev.penstock.tck;
