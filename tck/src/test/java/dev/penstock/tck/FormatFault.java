package dev.penstock.tck;

/// A mistake that a format can make. [NumbersFormat] makes one of them on demand.
enum FormatFault {
  NONE("", ""),
  ANOTHER_MAGIC("formatIsRecognisedByItsNameAndItsFirstBytes", "does not start with"),
  NULLS_ARE_ZERO("rowsAreThoseThatWereWritten", "stated 33 nulls but gave 0"),
  COLUMNS_IN_THE_ORDER_OF_THE_FILE("columnsAreReadAloneAndInAnyOrder", "above the upper bound"),
  RUNS_BEGIN_WITH_THEIR_ROW_GROUP("partsOfFilesHaveTheirRows", "times too often"),
  RUNS_END_WITH_THEIR_ROW_GROUP("rowsAreThoseThatWereWritten", "stated 0 nulls but gave 114"),
  ROWS_BEHIND_8192_ARE_LOST("longRunsOfRowsAreRead", "row 8192 of 9020 is [0"),
  SKIP_STOPS_ONE_SHORT("readersGiveAtMostTheRowsThatAreAskedForAndSkipOthers", "row 0 of"),
  SKIP_ONLY_COUNTS("readersGiveAtMostTheRowsThatAreAskedForAndSkipOthers", "row 0 of"),
  MORE_ROWS_THAN_ASKED_FOR(
      "readersGiveAtMostTheRowsThatAreAskedForAndSkipOthers", "next(1) returned 6"),
  SLICES_SHARED_BY_READERS("filtersKeepTheRowsThatAPlainEvaluationKeeps", "seed"),
  UPPER_BOUND_TOO_LOW("statisticsRuleOutNoRowThatIsThere", "gave a value above the upper bound"),
  LOWER_BOUND_TOO_HIGH("statisticsRuleOutNoRowThatIsThere", "gave a value below the lower bound"),
  NO_NULLS_IN_STATISTICS("statisticsRuleOutNoRowThatIsThere", "where c0 is null"),
  RANGES_BEHIND_THE_END("readersThatAreClosedEarlyGiveEverythingBack", "ranges() has"),
  MEMORY_IS_KEPT("readersThatAreClosedEarlyGiveEverythingBack", "8 segments of scratch memory"),
  SECOND_CLOSE_FAILS("readersThatAreClosedEarlyGiveEverythingBack", "closed"),
  FILE_IS_CLOSED("readersThatAreClosedEarlyGiveEverythingBack", "the reader has closed its file"),
  CUT_IS_NOT_NOTICED(
      "fileThatIsCutIsAnErrorThatNamesItOrHasTheRowsBeforeTheCut", "no error, but rows []"),
  WRONG_EXCEPTION("damagedBytesAreAnErrorThatNamesTheFileOrOtherValues", "but got java.lang"),
  MEMORY_AS_THE_FILE_SAYS(
      "fileThatIsCutIsAnErrorThatNamesItOrHasTheRowsBeforeTheCut", "OutOfMemoryError");

  /// The test that finds it; empty if there is nothing to find.
  final String test;

  /// A part of what the test says.
  final String message;

  FormatFault(String test, String message) {
    this.test = test;
    this.message = message;
  }
}
