/// Batches streamed into XGBoost.
///
/// Open [QuantileMatrix] to train, [BatchMatrix] to predict in a loop of your own, [XgboostModel]
/// to score tables.
@NullMarked
package dev.penstock.xgboost;

import org.jspecify.annotations.NullMarked;
