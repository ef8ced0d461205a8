'use strict';
// Where the time went: a bar for each worker by stage, and what the consumer waited for.
penstock.stages = (() => {
  const { el, swatch } = penstock.dom;
  const format = penstock.format;
  const { sum, stageName, stageColour, workerName, matching } = penstock.model;
  const BAR = 26;
  const HATCH = { symbol: 'rect', rotation: Math.PI / 4, dashArrayX: [1, 0], dashArrayY: [2, 3] };

  const legend = (stages) =>
    el(
      'ul',
      { class: 'legend', 'aria-label': 'Stages' },
      ...stages.map((stage) => el('li', {}, swatch(stageColour(stage), stage === 'WAIT'), stageName(stage))),
    );

  // bars: { name, values: seconds by stage, faint }.
  const option = ({ theme, bars, stages, extra = [], labelled, room }) => {
    const longest = Math.max(...bars.map((bar) => sum(bar.values)), 1e-9);
    const names = [
      ...stages.map((stage) => ({
        name: stageName(stage),
        colour: stageColour(stage),
        wait: stage === 'WAIT',
      })),
      ...extra,
    ];
    const used = names
      .map((each, index) => ({ ...each, index }))
      .filter(({ index }) => bars.some((bar) => bar.values[index] > 0));
    return {
      ...penstock.chart.base(theme),
      grid: { left: room, right: 16, top: 4, bottom: 24 },
      xAxis: {
        type: 'value',
        ...penstock.chart.axis(theme, {
          max: longest,
          axisLabel: { formatter: format.seconds, showMaxLabel: false },
        }),
      },
      yAxis: penstock.chart.names(
        theme,
        bars.map((bar) => bar.name),
        { width: room - 12, overflow: 'truncate' },
      ),
      tooltip: {
        ...penstock.chart.base(theme).tooltip,
        trigger: 'axis',
        axisPointer: { type: 'none' },
        formatter: (points) => {
          const bar = bars[points[0].dataIndex];
          const all = sum(bar.values);
          return penstock.chart.tip(
            bar.name,
            used
              .filter(({ index }) => bar.values[index] > 0)
              .map(({ name, colour, index }) => [
                name,
                `${format.seconds(bar.values[index])} \u00b7 ${format.percent(bar.values[index] / all)}`,
                colour,
              ]),
          );
        },
      },
      series: used.map(({ name, colour, wait, index }) => ({
        name,
        type: 'bar',
        stack: 'time',
        barMaxWidth: 20,
        emphasis: { disabled: true },
        itemStyle: {
          color: theme(colour),
          borderColor: theme('surface'),
          borderWidth: 1,
          ...(wait ? { decal: { ...HATCH, color: theme('surface') } } : {}),
        },
        data: bars.map((bar) => ({
          value: bar.values[index],
          itemStyle: bar.faint ? { opacity: 0.45 } : {},
          label: { show: labelled && !bar.faint && bar.values[index] / longest > 0.12 },
        })),
        label: {
          position: 'inside',
          fontSize: 11,
          color: theme('text'),
          backgroundColor: theme('surface'),
          borderRadius: 3,
          padding: [1, 4],
          formatter: ({ value, dataIndex }) => format.percent(value / sum(bars[dataIndex].values)),
        },
      })),
    };
  };

  const seconds = (nanos) => nanos.map((value) => value / 1e9);

  const workerBars = (run, others) => {
    const own = run.workers.map((worker) => ({
      name: workerName(worker.worker) + (worker.parked ? ' (parked)' : ''),
      values: seconds(worker.nanos),
    }));
    const foreign = others.flatMap((other) => {
      const peer = matching(other.report, run);
      return (peer?.workers ?? []).map((worker) => ({
        name: `${workerName(worker.worker)}, ${other.name}`,
        values: run.stages.map((stage) => (worker.nanos[peer.stages.indexOf(stage)] ?? 0) / 1e9),
        faint: true,
      }));
    });
    return [...own, ...foreign];
  };

  const workersSentence = (run) => {
    const totals = run.stages.map((_, index) => sum(run.workers.map((worker) => worker.nanos[index])));
    const all = sum(totals);
    if (!all) return 'The workers spent no time.';
    const order = totals
      .map((_, index) => index)
      .sort((left, right) => totals[right] - totals[left])
      .slice(0, 3)
      .filter((index) => totals[index] > 0);
    const [first, ...rest] = order.map((index) => [
      format.percent(totals[index] / all),
      stageName(run.stages[index]),
    ]);
    return `Workers spent ${first[0]} of their time ${first[1]}${rest.map(([share, stage]) => `, ${share} ${stage}`).join('')}.`;
  };

  const consumerSentence = (run) => {
    const share = penstock.model.waitShare(run);
    const all = sum(run.waitedFor);
    if (!all) return 'The consumer never waited.';
    const top = penstock.model.largest(run.waitedFor);
    return `The consumer waited ${format.percent(share)} of the time, ${format.percent(run.waitedFor[top] / all)} of that for ${stageName(run.stages[top])}.`;
  };

  const numberColumns = (first) => [
    { name: first, value: (row) => row.name, head: true },
    { name: 'stage', value: (row) => row.stage },
    { name: 'seconds', value: (row) => row.seconds, text: format.exact, number: true },
    { name: 'share', value: (row) => row.share, text: format.percent, number: true },
  ];
  const numberRows = (bars, names) =>
    bars.flatMap((bar) => {
      const all = sum(bar.values);
      return names.map((stage, index) => ({
        name: bar.name,
        stage,
        seconds: bar.values[index],
        share: all ? bar.values[index] / all : 0,
      }));
    });

  const create = (body) => {
    const legends = el('div');
    const workersText = el('p', { class: 'result' });
    const consumerText = el('p', { class: 'result' });
    const workers = penstock.chart.create({ name: 'Time of the workers', numbers: numberColumns('worker') });
    const consumer = penstock.chart.create({
      name: 'Time of the consumer',
      numbers: numberColumns('consumer'),
    });
    const workersPart = el('div', {}, el('h3', {}, 'Workers'), workersText, workers.element);
    body.append(legends, workersPart, el('h3', {}, 'Consumer'), consumerText, consumer.element);

    return ({ run, others, theme }) => {
      legends.replaceChildren(legend(run.stages));
      const bars = workerBars(run, others);
      // Both charts have the same room for names, so their bars begin below each other.
      const room = Math.min(150, 20 + 6.8 * Math.max(8, ...bars.map((bar) => bar.name.length)));
      workersPart.hidden = bars.length === 0;
      if (bars.length) {
        const sentence = workersSentence(run);
        penstock.dom.say(workersText, sentence);
        workers.update({
          option: option({ theme, bars, stages: run.stages, labelled: false, room }),
          sentence,
          tall: bars.length * BAR + 32,
          numbers: () => numberRows(bars, run.stages.map(stageName)),
        });
      }
      const sentence = consumerSentence(run);
      penstock.dom.say(consumerText, sentence);
      const waited = [
        {
          name: 'consumer',
          values: [...seconds(run.waitedFor), Math.max(0, run.seconds - sum(run.waitedFor) / 1e9)],
        },
      ];
      others.forEach((other) => {
        const peer = matching(other.report, run);
        if (peer)
          waited.push({
            name: `consumer, ${other.name}`,
            faint: true,
            values: [
              ...run.stages.map((stage) => (peer.waitedFor[peer.stages.indexOf(stage)] ?? 0) / 1e9),
              Math.max(0, peer.seconds - sum(peer.waitedFor) / 1e9),
            ],
          });
      });
      consumer.update({
        option: option({
          theme,
          bars: waited,
          stages: run.stages,
          extra: [{ name: 'did not wait', colour: 'busy' }],
          labelled: true,
          room,
        }),
        sentence,
        tall: waited.length * BAR + 32,
        numbers: () =>
          numberRows(waited, [
            ...run.stages.map((stage) => `waited for ${stageName(stage)}`),
            'did not wait',
          ]),
      });
    };
  };

  return {
    id: 'time',
    title: 'Where the time went',
    short: 'Time',
    shown: ({ run }) => Boolean(run),
    create,
  };
})();
