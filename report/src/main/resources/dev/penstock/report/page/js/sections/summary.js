'use strict';
// What it was, and what to change: title, bottleneck, the numbers of one run.
penstock.summary = (() => {
  const { el, say } = penstock.dom;
  const format = penstock.format;

  const machine = ({ processors, memoryBytes, heapBytes, java, system }) =>
    [
      processors === undefined ? null : format.plural(processors, 'processor', 'processors'),
      memoryBytes === undefined ? null : format.bytes(memoryBytes),
      heapBytes === undefined ? null : `${format.bytes(heapBytes)} heap`,
      java ? `Java ${java}` : null,
      system,
    ]
      .filter(Boolean)
      .join(', ');

  // What was read before the epoch: how long, what for, and how many rows.
  const passFacts = (passes) =>
    (passes?.purpose ?? []).map((purpose, i) => [
      'Before it',
      format.seconds(passes.nanos[i] / 1e9),
      `to ${purpose}: ${format.count(passes.rows[i])} rows read`,
    ]);

  // Where bytes came from beside one store: the cache, several stores, stores that were asked again.
  const sources = ({ bytesCached, stores }) => {
    const names = stores?.store ?? [];
    const retries = penstock.model.sum(stores?.retries ?? []);
    return [
      bytesCached ? `and ${format.bytes(bytesCached)} from the cache` : null,
      ...(names.length > 1 ? names.map((name, i) => `${format.bytes(stores.bytes[i])} of ${name}`) : []),
      retries ? format.plural(retries, 'request asked again', 'requests asked again') : null,
    ]
      .filter(Boolean)
      .join(', ');
  };

  const facts = (run) => {
    const wait = penstock.model.waitShare(run);
    return [
      ...passFacts(run.passes),
      [
        'Speed',
        `${format.count(run.rowsPerSecond)} rows/s`,
        `${format.count(run.rows)} rows in ${format.seconds(run.seconds)}`,
      ],
      ...(run.utilisation === undefined
        ? []
        : [['Accelerator busy', format.percent(run.utilisation), 'with the wait for the first batch']]),
      ['Consumer waited', format.percent(wait), format.seconds(run.waitSeconds)],
      ...(run.waits?.count
        ? [
            [
              'Longest wait',
              format.nanos(run.waits.max),
              `median ${format.nanos(run.waits.p50)}, 99\u202f% below ${format.nanos(run.waits.p99)}`,
            ],
          ]
        : []),
      ['Read', format.bytes(run.bytesRead), sources(run)],
      [
        'Batches',
        format.exact(run.batches),
        run.batches ? `${format.count(run.rows / run.batches)} rows each` : '',
      ],
      [
        'Memory, at most',
        format.bytes(run.memoryPeakBytes),
        run.memoryLimitBytes ? `of ${format.bytes(run.memoryLimitBytes)} allowed` : '',
      ],
    ];
  };

  const planFacts = (plan) => [
    ['Rows', format.count(plan.rows), format.exact(plan.rows)],
    [
      'Files',
      format.exact(plan.files.location.length + (plan.filesMore?.files ?? 0)),
      format.bytes(plan.bytes),
    ],
    [
      'Readers',
      format.exact(plan.readers.rows.length),
      format.plural(penstock.model.sum(plan.readers.splits), 'split', 'splits'),
    ],
  ];

  const create = () => {
    const title = el('h1');
    const dataset = el('p');
    const when = el('p');
    const code = el('code', { tabindex: '0' });
    const command = el(
      'div',
      { class: 'command' },
      code,
      ...penstock.copy.button('command', () => code.textContent),
    );
    const head = el('div', { class: 'head' }, title, dataset, when, command);
    const which = el('h2');
    const sentence = el('p', { class: 'sentence', id: 'bottleneck' });
    const list = el('dl', { class: 'facts' });
    const hero = el('section', { class: 'card hero', 'aria-label': 'Result' }, which, sentence, list);

    const update = ({ report, run }) => {
      document.title = `${report.title} \u2013 Penstock report`;
      say(title, report.title);
      const isTitle = report.title.startsWith(`${report.dataset}, `);
      say(dataset, isTitle ? '' : (report.dataset ?? ''));
      say(
        when,
        [format.instant(report.created), machine(report.machine ?? {})].filter(Boolean).join(' \u00b7 '),
      );
      say(code, report.command ?? '');
      command.hidden = !report.command;
      const plan = report.plan;
      say(which, run ? `Bottleneck of ${run.name}` : plan ? `Plan of epoch ${plan.epoch}` : '');
      say(
        sentence,
        run
          ? run.bottleneck
          : plan
            ? `${format.plural(plan.readers.rows.length, 'reader reads', 'readers read')} ${format.count(plan.rows)} rows of ${format.plural(plan.files.location.length + (plan.filesMore?.files ?? 0), 'file', 'files')}.`
            : report.live
              ? 'No run has begun yet.'
              : 'This report has no runs.',
      );
      list.hidden = !run && !plan;
      list.replaceChildren(
        ...(run ? facts(run) : plan ? planFacts(plan) : []).map(([name, value, more]) =>
          el('div', {}, el('dt', {}, name), el('dd', {}, value, more ? el('small', {}, more) : null)),
        ),
      );
    };
    return { elements: [head, hero], update };
  };

  return { create };
})();
