/// Single behaviours, faults, stress and limits, and the orders that earlier versions recorded.
package dev.penstock.blackbox.cases;
