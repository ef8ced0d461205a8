'use strict';
// Digests of the rows of steps: of each run, and the last steps of the chosen one.
penstock.steps = (() => {
  const { el, say } = penstock.dom;
  const format = penstock.format;

  const runsOf = (report) => report.runs.filter((run) => run.steps?.count);

  const sentenceOf = (run) => {
    const steps = run?.steps;
    if (!steps?.count) return 'No digests of this run.';
    return `Rank ${steps.rank} of ${steps.world} received ${format.plural(steps.count, 'step', 'steps')}, with the digest ${steps.digest} of all.`;
  };

  const create = (body) => {
    const text = el('p', { class: 'result' });
    const all = penstock.table({
      caption: 'Digests of runs',
      columns: [
        { name: 'run', value: (run) => run.name, head: true },
        { name: 'rank', value: (run) => run.steps.rank, number: true },
        { name: 'ranks', value: (run) => run.steps.world, number: true },
        { name: 'steps', value: (run) => run.steps.count, text: format.exact, number: true },
        { name: 'digest of all', value: (run) => run.steps.digest },
      ],
    });
    const last = penstock.table({
      caption: 'Last steps',
      columns: [
        { name: 'step', value: (row) => row.step, text: format.exact, number: true, head: true },
        { name: 'rows', value: (row) => row.rows, text: format.exact, number: true },
        { name: 'digest', value: (row) => row.digest },
      ],
    });
    const note = el(
      'p',
      { class: 'note' },
      'A digest is of where rows are stored, not of their values. Equal digests are the same rows in the same order.',
    );
    body.append(text, all.element, last.element, note);

    return ({ report, run }) => {
      say(text, sentenceOf(run));
      all.update(runsOf(report));
      const steps = run?.steps?.last ?? { step: [] };
      last.element.hidden = !steps.step.length;
      last.update(
        steps.step.map((step, at) => ({ step, rows: steps.rows[at], digest: steps.digest[at] })),
      );
    };
  };

  return {
    id: 'steps',
    title: 'Digests of steps',
    short: 'Steps',
    shown: ({ report }) => runsOf(report).length > 0,
    create,
  };
})();
