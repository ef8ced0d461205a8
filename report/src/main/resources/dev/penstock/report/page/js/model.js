'use strict';
// What the page asks of a report: names, shares and sums. The contract of the data is version 1.
penstock.model = (() => {
  // Stages in the order of a row's way, as the page names them.
  const STAGES = {
    OPEN: 'opening files',
    FETCH: 'fetching',
    DECOMPRESS: 'decompressing',
    DECODE: 'decoding',
    FILTER: 'filtering',
    SHUFFLE: 'shuffling',
    TRANSFORM: 'transforming',
    BATCH: 'making batches',
    COLLATE: 'collating',
    WAIT: 'waiting',
  };
  // The rule of the bottleneck takes these together, so sentences do, too.
  const TOGETHER = { OPEN: 'FETCH', DECOMPRESS: 'DECODE' };
  const SLICE_STAGES = ['open', 'fetch', 'decompress', 'decode', 'filter', 'transform'];
  const WAITS = {
    batch: 'for a batch',
    consumer: 'for the consumer to take batches',
    count: 'for earlier rows to be counted',
    memory: 'for memory',
    work: 'for work',
  };

  const sum = (values) => values.reduce((total, value) => total + value, 0);
  const stageName = (stage) => STAGES[stage] ?? stage.toLowerCase();
  const stageColour = (stage) => (stage in STAGES ? stage.toLowerCase() : 'several');
  const workerName = (worker) => (worker < 0 ? 'consumer' : `worker ${worker}`);
  const waitShare = (run) => (run.seconds > 0 ? run.waitSeconds / run.seconds : undefined);

  const median = (values) => {
    const sorted = values.slice().sort((left, right) => left - right);
    const middle = sorted.length >> 1;
    return sorted.length % 2 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2;
  };

  const largest = (values) => values.reduce((best, value, index) => (value > values[best] ? index : best), 0);

  // What times were spent on, the most first: { name, share }.
  const works = (stages, times) => {
    const all = sum(times);
    const byWork = new Map();
    stages.forEach((stage, index) => {
      if (!times[index]) return;
      const key = TOGETHER[stage] ?? stage;
      const { names, time } = byWork.get(key) ?? { names: [], time: 0 };
      byWork.set(key, { names: [...names, stageName(stage)], time: time + times[index] });
    });
    return [...byWork.values()]
      .sort((left, right) => right.time - left.time)
      .map(({ names, time }) => ({ name: names.join(' and '), share: time / all }));
  };

  // Columns of the same length as rows of a table.
  const rowsOf = (columns, length) => Array.from({ length }, (_, index) => index);

  // The run of another report to draw beside a run: that of the same name, or else its first.
  const matching = (report, run) => report.runs.find((other) => other.name === run?.name) ?? report.runs[0];

  return {
    STAGES,
    SLICE_STAGES,
    WAITS,
    sum,
    works,
    stageName,
    stageColour,
    workerName,
    waitShare,
    median,
    largest,
    rowsOf,
    matching,
  };
})();
