/// The page that shows a report: one HTML file with its charts, its data and no requests.
///
/// Open [ReportPage] first. The page's own parts are resources beside it, one concern a file: a
/// template, a style sheet and the scripts in the order of `PageParts`.
@NullMarked
package dev.penstock.report.page;

import org.jspecify.annotations.NullMarked;
