/// Batches streamed into XGBoost.
///
/// Open [QuantileMatrix] first.
@NullMarked
package dev.penstock.xgboost;

import org.jspecify.annotations.NullMarked;
