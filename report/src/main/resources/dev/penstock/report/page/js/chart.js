'use strict';
// A chart with what makes it readable to all: a sentence that says its result, the numbers below it,
// and an image of it for paper.
penstock.chart = (() => {
  const { el } = penstock.dom;
  const all = [];

  const tooltip = (theme) => ({
    confine: true,
    transitionDuration: 0,
    backgroundColor: theme('surface'),
    borderColor: theme('line-strong'),
    borderWidth: 1,
    padding: [6, 10],
    textStyle: { color: theme('text'), fontSize: 12.5 },
    extraCssText: 'box-shadow: 0 4px 16px rgb(0 0 0 / .18); border-radius: 8px;',
  });

  // What all charts share: no movement, quiet axes, the page's font.
  const base = (theme) => ({
    animation: false,
    textStyle: { fontFamily: getComputedStyle(document.body).fontFamily },
    tooltip: tooltip(theme),
  });

  const axis = (theme, more = {}) => ({
    axisLine: { show: false, lineStyle: { color: theme('line-strong') } },
    axisTick: { show: false },
    splitLine: { lineStyle: { color: theme('line') } },
    nameTextStyle: { color: theme('muted'), fontSize: 11.5 },
    ...more,
    axisLabel: { color: theme('muted'), fontSize: 11.5, hideOverlap: true, ...more.axisLabel },
  });

  // The axis of things with a bar or a lane each: all their names, from the top down.
  const names = (theme, data, label = {}) => ({
    type: 'category',
    inverse: true,
    data,
    ...axis(theme, {
      splitLine: { show: false },
      axisLabel: { color: theme('text'), fontSize: 12, interval: 0, hideOverlap: false, ...label },
    }),
  });

  // A bar's value, to the right of it, parted from a line behind it.
  const valueRight = (theme, text) => ({
    show: true,
    position: 'right',
    color: theme('text'),
    textBorderColor: theme('surface'),
    textBorderWidth: 4,
    fontSize: 11.5,
    formatter: ({ value }) => text(value),
  });

  // A line across a chart, at exactly its value: ECharts else rounds it to two digits.
  const across = (theme, data, { colour = 'text', type = 'dashed', ...more } = {}, label = {}) => ({
    silent: true,
    symbol: 'none',
    precision: -1,
    z: 1, // behind what is measured
    lineStyle: { color: theme(colour), type, width: 1, ...more },
    label: { color: theme(colour), fontSize: 11, ...label },
    data,
  });

  // Black or white, whichever is read better on a colour.
  const ink = (colour) => {
    const [red, green, blue] = colour.match(/[\d.]+/g).map((part) => {
      const share = part / 255;
      return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
    });
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue > 0.179 ? '#000' : '#fff';
  };

  // A tooltip's content: a heading, and names with values. Returns an element, never HTML.
  const tip = (heading, rows) =>
    el(
      'div',
      { class: 'tip' },
      el('b', {}, heading),
      el(
        'dl',
        {},
        ...rows.flatMap(([name, value, colour]) => [
          el('dt', {}, colour ? penstock.dom.swatch(colour, colour === 'wait') : null, name),
          el('dd', {}, value),
        ]),
      ),
    );

  // numbers: columns of the table below, as penstock.table takes them.
  const create = ({ name, numbers, onSize = () => {} }) => {
    const plot = el('div', { class: 'plot', role: 'img', 'aria-label': name });
    const printed = el('img', { class: 'printed', alt: '' });
    const table = penstock.table({ caption: `${name}: numbers`, columns: numbers });
    const details = el(
      'details',
      { class: 'numbers' },
      el('summary', {}, 'Numbers', el('span', { class: 'unseen' }, ` of ${name}`)),
      table.element,
    );
    const element = el('figure', { class: 'chart', 'data-chart': name }, plot, printed, details);
    let instance = null;
    let height = 0;
    let rows = () => [];

    // Numbers are made when somebody looks: 10,000 rows cost more than the chart.
    const fill = () => {
      if (details.open) table.update(rows());
    };
    details.addEventListener('toggle', fill);

    const draw = (option, options) => {
      if (!instance) {
        instance = echarts.init(plot, null, { renderer: 'canvas', height });
        all.push(self);
        new ResizeObserver(() => {
          if (plot.clientWidth > 0 && plot.clientWidth !== instance.getWidth()) self.resize();
        }).observe(plot);
      }
      instance.setOption(option, options);
    };

    const self = {
      element,
      plot,
      get instance() {
        return instance;
      },
      get width() {
        return instance ? instance.getWidth() : plot.clientWidth;
      },
      update({ option, sentence, tall, numbers: next }) {
        plot.setAttribute('aria-label', `${name}: ${sentence}`);
        printed.alt = `${name}: ${sentence}`;
        rows = next;
        if (tall !== height) {
          height = tall;
          plot.style.height = `${tall}px`;
          if (instance) instance.resize({ height });
        }
        draw(option, { notMerge: true });
        fill();
      },
      merge: (option) => instance.setOption(option, { lazyUpdate: false }),
      resize(width = 'auto') {
        if (!instance) return;
        instance.resize({ width, height });
        onSize();
      },
      // Paper shows an image, drawn at once: nothing is drawn while a page is printed.
      print(on) {
        if (!instance) return;
        if (on) {
          self.resize(700);
          printed.src = instance.getDataURL({ type: 'png', pixelRatio: 2, backgroundColor: '#fff' });
        } else {
          printed.removeAttribute('src');
          self.resize();
        }
      },
    };
    return self;
  };

  return { create, base, axis, names, valueRight, across, ink, tip, all };
})();
