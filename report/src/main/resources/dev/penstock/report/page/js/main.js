'use strict';
// Puts the page together: one state, drawn by sections that each update what they once made.
penstock.main = (() => {
  const { el, button } = penstock.dom;
  const main = document.getElementById('main');
  const state = {
    report: null,
    index: 0,
    chosen: false,
    others: [],
    sections: [],
    summary: null,
    picker: null,
  };

  // The run that a reader chose, or that the link names (`run.html#run=0`), or else the recommended
  // one, or else the last.
  const pick = () => {
    const { runs } = state.report;
    if (state.chosen && state.index < runs.length) return;
    const linked = Number(/^#run=(\d{1,6})$/.exec(location.hash)?.[1] ?? -1);
    if (linked >= 0 && linked < runs.length) {
      state.index = linked;
      return;
    }
    const recommended = runs.findIndex((run) => run.recommended);
    state.index = recommended >= 0 ? recommended : Math.max(0, runs.length - 1);
  };

  const choose = (index) => {
    state.index = index;
    state.chosen = true;
    draw();
  };

  const drawPicker = () => {
    const { runs } = state.report;
    const names = runs.map((run) => run.name + (run.recommended ? ' (recommended)' : ''));
    const { select, label } = state.picker;
    label.hidden = runs.length < 2;
    if (names.join('\n') !== state.picker.names) {
      state.picker.names = names.join('\n');
      select.replaceChildren(...names.map((name, index) => el('option', { value: String(index) }, name)));
    }
    select.value = String(state.index);
  };

  const draw = () => {
    pick();
    const { report, index, others } = state;
    const view = {
      report,
      index,
      others,
      run: report.runs[index],
      plan: report.plan,
      theme: penstock.theme.colours(),
    };
    document.getElementById('version').textContent = `Penstock ${report.penstock ?? ''}`.trim();
    drawPicker();
    state.summary.update(view);
    for (const section of state.sections) {
      section.element.hidden = !section.shown(view);
      section.link.hidden = section.element.hidden;
      if (!section.element.hidden) section.update(view);
    }
  };

  const SECTIONS = ['runs', 'stages', 'timeline', 'readers', 'pruned', 'skew', 'work', 'order', 'steps', 'options'];

  const build = () => {
    const compare = penstock.compare.create((others) => {
      state.others = others;
      draw();
    });
    state.summary = penstock.summary.create();
    state.sections = SECTIONS.map((name) => {
      const section = penstock[name];
      const body = el('div');
      const title = `${section.id}-title`;
      const element = el(
        'section',
        { class: 'card', id: section.id, 'aria-labelledby': title },
        el('h2', { id: title }, section.title),
        body,
      );
      const link = el('a', { href: `#${section.id}` }, section.short);
      return { element, link, shown: section.shown, update: section.create(body, { choose }) };
    });
    main.replaceChildren(
      compare.fault,
      ...state.summary.elements,
      ...state.sections.map((section) => section.element),
    );

    document.getElementById('sections').append(...state.sections.map((section) => section.link));
    const select = el('select', { id: 'run', onchange: () => choose(Number(select.value)) });
    const label = el('label', { for: 'run' }, el('span', {}, 'Run'), select);
    const theme = button('', () => penstock.theme.toggle(), { id: 'theme' });
    const named = () => {
      theme.textContent = penstock.theme.isDark() ? 'Light' : 'Dark';
      theme.setAttribute('aria-label', `${theme.textContent} theme`);
    };
    state.picker = { select, label, names: '' };
    document.getElementById('tools').append(label, ...compare.tools, theme);
    named();
    penstock.theme.onChange(() => {
      named();
      draw();
    });
  };

  const printing = (on) => {
    penstock.theme.print(on);
    penstock.chart.all.forEach((chart) => chart.print(on));
  };

  const start = async () => {
    try {
      [state.report] = await Promise.all([penstock.embedded.report(document), penstock.embedded.charts()]);
    } catch (problem) {
      main.replaceChildren(
        el('p', { class: 'fault', role: 'alert' }, `Cannot show this report: ${problem.message}.`),
      );
      document.documentElement.dataset.ready = 'true';
      return;
    }
    build();
    draw();
    window.addEventListener('beforeprint', () => printing(true));
    window.addEventListener('afterprint', () => printing(false));
    if (state.report.live) {
      penstock.live.start(document.getElementById('status'), (report) => {
        state.report = report;
        draw();
      });
    }
    document.documentElement.dataset.ready = 'true'; // for tests: all is drawn
  };

  return { start, state };
})();

penstock.main.start();
