/// What README, guides and pages show: their code is run, their tables are compared with the build.
package dev.penstock.blackbox.docs;
