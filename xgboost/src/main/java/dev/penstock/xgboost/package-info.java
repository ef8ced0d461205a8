/// Batches streamed into XGBoost.
///
/// Open [QuantileMatrix] to train, [BatchMatrix] to predict.
@NullMarked
package dev.penstock.xgboost;

import org.jspecify.annotations.NullMarked;
