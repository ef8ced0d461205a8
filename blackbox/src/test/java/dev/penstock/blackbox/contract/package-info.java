/// What a loader promises with every format and store, any number of workers, and resumed anywhere.
package dev.penstock.blackbox.contract;
