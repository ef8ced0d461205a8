package dev.penstock.tck;

/// A mistake that a store can make. [MapStorage] makes one of them on demand.
enum StorageFault {
  NONE("", ""),
  OFFSET_IS_IGNORED("rangesAreThoseOfTheFile", "the last byte"),
  READ_FILLS_A_PART("rangesAreThoseOfTheFile", "array contents differ"),
  END_IS_FILLED_WITH_ZEROS("rangeBehindTheEndIsAnErrorThatNamesTheFile", "nothing was thrown"),
  END_IS_A_BUG("rangeBehindTheEndIsAnErrorThatNamesTheFile", "IndexOutOfBounds"),
  ERRORS_NAME_NOTHING("rangeBehindTheEndIsAnErrorThatNamesTheFile", "does not name"),
  PROGRESS_STOPS_EARLY("progressRisesToTheEnd", "250000"),
  THREADS_SHARE_A_POSITION("severalThreadsReadOneFile", "differs"),
  BEGINNINGS_OF_NAMES_ARE_FILES("fileIsToldFromAFolderAndFromNothing", "the begin of a name"),
  FOLDERS_ARE_NOTHING("fileIsToldFromAFolderAndFromNothing", "No value present"),
  LIST_HAS_THE_NEIGHBOURS("listHasTheFilesBelowAFolder", "ab/beside"),
  LIST_IS_SHALLOW("listHasTheFilesBelowAFolder", "expected"),
  LIST_HAS_FOLDERS("listHasTheFilesBelowAFolder", "expected"),
  VERSION_IS_THE_SIZE("versionChangesWithTheContents", "the version of other contents"),
  VERSIONS_ARE_RANDOM("versionChangesWithTheContents", "the version of the same contents"),
  OLD_VERSION_IS_KEPT("replacedFileIsNotReadUnderItsOldVersion", "under the version of the old"),
  CREATION_REPLACES("fileIsCreatedUnlessThereIsOne", "says that there is a file"),
  CREATION_ALWAYS_SUCCEEDS("oneOfSeveralCreatesAFile", "how many created the file"),
  GONE_IS_A_BUG("fileThatIsGoneIsAnErrorThatNamesIt", "IllegalStateException");

  /// The test that finds it; empty if there is nothing to find.
  final String test;

  /// A part of what the test says.
  final String message;

  StorageFault(String test, String message) {
    this.test = test;
    this.message = message;
  }
}
