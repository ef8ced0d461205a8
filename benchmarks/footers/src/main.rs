//! The footers of benchmarks/footers.sh, taken in by parquet-rs on one thread.

use parquet::file::metadata::{
    ParquetMetaDataOptions, ParquetMetaDataReader, ParquetStatisticsPolicy,
};
use std::time::{Duration, Instant};

const ROUNDS: usize = 11;
const ROUND: Duration = Duration::from_millis(200);

/// Returns the median of some rounds, for each column of a row group.
fn micros(footer: &[u8], options: &ParquetMetaDataOptions) -> f64 {
    let mut rounds: Vec<f64> = (0..ROUNDS)
        .map(|_| {
            let start = Instant::now();
            let mut chunks = 0;
            while start.elapsed() < ROUND {
                let read =
                    ParquetMetaDataReader::decode_metadata_with_options(footer, Some(options))
                        .unwrap();
                chunks += read.num_row_groups() * read.row_group(0).num_columns();
            }
            start.elapsed().as_secs_f64() * 1e6 / chunks as f64
        })
        .collect();
    rounds.sort_by(f64::total_cmp);
    rounds[ROUNDS / 2]
}

fn main() {
    let all = ParquetMetaDataOptions::new();
    let none = ParquetMetaDataOptions::new()
        .with_column_stats_policy(ParquetStatisticsPolicy::SkipAll)
        .with_encoding_stats_policy(ParquetStatisticsPolicy::SkipAll)
        .with_size_stats_policy(ParquetStatisticsPolicy::SkipAll);
    for path in std::env::args().skip(1) {
        let bytes = std::fs::read(&path).unwrap();
        let end = bytes.len() - 8;
        let length = u32::from_le_bytes(bytes[end..end + 4].try_into().unwrap());
        let footer = &bytes[end - length as usize..end];
        println!(
            "{}: parquet-rs parses in {:.3} us a column of a row group, without statistics in {:.3}",
            path.rsplit('/').next().unwrap(),
            micros(footer, &all),
            micros(footer, &none)
        );
    }
}
