'use strict';
// Where the time went: a bar for each worker by stage, and what the consumer waited for.
penstock.stages = (() => {
  const { el, swatch } = penstock.dom;
  const format = penstock.format;
  const { sum, works, stageName, stageColour, workerName, matching } = penstock.model;
  const BAR = 26;
  const HATCH = { symbol: 'rect', rotation: Math.PI / 4, dashArrayX: [1, 0], dashArrayY: [2, 3] };

  // What bars are made of, those alone that have some time in one of them.
  const kindsOf = (bars, stages, extra = []) =>
    [
      ...stages.map((stage) => ({
        name: stageName(stage),
        colour: stageColour(stage),
        wait: stage === 'WAIT',
      })),
      ...extra,
    ]
      .map((kind, index) => ({ ...kind, index }))
      .filter(({ index }) => bars.some((bar) => bar.values[index] > 0));

  const longestOf = (bars) => Math.max(...bars.map((bar) => sum(bar.values)), 1e-9);

  // What a bar shows some pixels of, each once.
  const legendOf = (...charts) => {
    const shown = new Map();
    for (const { kinds, bars } of charts) {
      const least = longestOf(bars) / 400;
      for (const kind of kinds) {
        if (bars.some((bar) => bar.values[kind.index] > least)) shown.set(kind.name, kind);
      }
    }
    return [...shown.values()]
      .sort((left, right) => left.index - right.index)
      .map(({ name, colour, wait }) => el('li', {}, swatch(colour, wait), name));
  };

  // bars: { name, values: seconds by stage, faint }; labelled: the share from which on a part says its own.
  const option = ({ theme, bars, kinds, labelled, room }) => {
    const longest = longestOf(bars);
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
            kinds
              .filter(({ index }) => bar.values[index] > 0)
              .map(({ name, colour, index }) => [
                name,
                `${format.seconds(bar.values[index])} \u00b7 ${format.percent(bar.values[index] / all)}`,
                colour,
              ]),
          );
        },
      },
      series: kinds.map(({ name, colour, wait, index }) => ({
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
          label: { show: !bar.faint && bar.values[index] / longest > labelled },
        })),
        label: {
          position: 'inside',
          fontSize: 11,
          color: wait ? theme('text') : penstock.chart.ink(theme(colour)),
          ...(wait ? { textBorderColor: theme('surface'), textBorderWidth: 3 } : {}),
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
    const [first, ...rest] = works(run.stages, totals).slice(0, 3);
    if (!first) return 'The workers spent no time.';
    return `Workers spent ${format.percent(first.share)} of their time ${first.name}${rest.map(({ share, name }) => `, ${format.percent(share)} ${name}`).join('')}.`;
  };

  const consumerSentence = (run) => {
    const [first] = works(run.stages, run.waitedFor);
    if (!first) return 'The consumer never waited.';
    return `The consumer waited ${format.percent(penstock.model.waitShare(run))} of the time, ${format.percent(first.share)} of that for ${first.name}.`;
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
    const legend = el('ul', { class: 'legend', 'aria-label': 'Stages' });
    const workersText = el('p', { class: 'result' });
    const consumerText = el('p', { class: 'result' });
    const workers = penstock.chart.create({ name: 'Time of the workers', numbers: numberColumns('worker') });
    const consumer = penstock.chart.create({
      name: 'Time of the consumer',
      numbers: numberColumns('consumer'),
    });
    const workersPart = el('div', {}, el('h3', {}, 'Workers'), workersText, workers.element);
    body.append(legend, workersPart, el('h3', {}, 'Consumer'), consumerText, consumer.element);

    return ({ run, others, theme }) => {
      const bars = workerBars(run, others);
      const kinds = kindsOf(bars, run.stages);
      // Both charts have the same room for names, so their bars begin below each other.
      const room = Math.min(150, 20 + 6.8 * Math.max(8, ...bars.map((bar) => bar.name.length)));
      // Without workers the consumer's bar has the same.
      workersPart.hidden = bars.length === 0 || (run.workers[0]?.worker < 0 && !others.length);
      if (!workersPart.hidden) {
        const sentence = workersSentence(run);
        penstock.dom.say(workersText, sentence);
        workers.update({
          option: option({ theme, bars, kinds, labelled: 1, room }),
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
      const waits = kindsOf(waited, run.stages, [{ name: 'did not wait', colour: 'busy' }]);
      legend.replaceChildren(...legendOf({ kinds, bars }, { kinds: waits, bars: waited }));
      consumer.update({
        option: option({ theme, bars: waited, kinds: waits, labelled: 44 / Math.max(300, consumer.width - room), room }),
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
