'use strict';
// The part of a run's time that its charts show. All charts on the time axis follow it; mouse,
// touch, keys and buttons change it.
penstock.timeWindow = () => {
  const { el, button } = penstock.dom;
  const format = penstock.format;
  const joined = new Set();
  const charts = []; // those that are zoomed from here
  const listeners = [];
  let total = 0;
  let from = 0;
  let to = 0;
  let whole = true;
  let moving = false;

  const span = el('span', { class: 'span', role: 'status' });

  const say = () => {
    whole = from <= 0 && to >= total;
    penstock.dom.say(
      span,
      whole
        ? `all ${format.micros(total)}`
        : `${format.micros(from)} to ${format.micros(to)} of ${format.micros(total)}`,
    );
  };

  const apply = (source = null) => {
    moving = true;
    for (const chart of charts) {
      if (chart !== source && chart.instance && !chart.instance.isDisposed()) {
        chart.instance.dispatchAction({ type: 'dataZoom', startValue: from, endValue: to });
      }
    }
    moving = false;
    say();
    listeners.forEach((listener) => listener());
  };

  const set = (start, end, source) => {
    // Never less than 20 us: below, there is nothing to see.
    const length = Math.min(total, Math.max(end - start, 20));
    from = Math.min(Math.max(0, start), total - length);
    to = from + length;
    apply(source);
  };

  const zoom = (factor) => {
    const middle = (from + to) / 2;
    const half = ((to - from) / 2) * factor;
    set(middle - half, middle + half);
  };
  const pan = (share) => set(from + (to - from) * share, to + (to - from) * share);
  const all = () => set(0, total);

  const keys = {
    '+': () => zoom(0.5),
    '=': () => zoom(0.5),
    '-': () => zoom(2),
    0: all,
    ArrowLeft: () => pan(-0.25),
    ArrowRight: () => pan(0.25),
    Home: () => set(0, to - from),
    End: () => set(total - (to - from), total),
  };

  const controls = el(
    'div',
    { class: 'zoom', role: 'group', 'aria-label': 'Time shown' },
    button('Zoom in', () => zoom(0.5)),
    button('Zoom out', () => zoom(2)),
    button('\u2190 Earlier', () => pan(-0.25)),
    button('Later \u2192', () => pan(0.25)),
    button('All', all),
    span,
  );
  controls.addEventListener('keydown', (event) => {
    const act = keys[event.key];
    if (!act || event.ctrlKey || event.metaKey || event.altKey) return;
    event.preventDefault();
    act();
  });

  return {
    controls,
    get from() {
      return from;
    },
    get to() {
      return to;
    },
    get total() {
      return total;
    },
    get whole() {
      return whole;
    },
    onChange: (listener) => listeners.push(listener),
    // A run that grows is seen whole until somebody zooms in.
    reset(length, keep) {
      const seenWhole = whole || !keep;
      total = length;
      whole = seenWhole;
      if (seenWhole) [from, to] = [0, length];
    },
    set,
    say,
    // How a chart zooms by itself: drag, pinch, or the wheel with Ctrl, as the wheel alone scrolls.
    zooms: (more = {}) => [
      {
        type: 'inside',
        xAxisIndex: 0,
        filterMode: 'none',
        startValue: from,
        endValue: to,
        zoomOnMouseWheel: 'ctrl',
        moveOnMouseMove: true,
        moveOnMouseWheel: 'shift',
        preventDefaultMouseMove: false,
        throttle: 16,
        ...more,
      },
    ],
    // A chart that draws anew for each period zooms itself, at one go with that.
    join(chart, { zoomsItself = false } = {}) {
      if (joined.has(chart)) return false;
      joined.add(chart);
      if (!zoomsItself) charts.push(chart);
      chart.instance.on('datazoom', (event) => {
        if (moving) return;
        const change = event.batch ? event.batch[0] : event;
        if (change.startValue !== undefined) set(change.startValue, change.endValue, chart);
        else set((change.start / 100) * total, (change.end / 100) * total, chart);
      });
      return true;
    },
  };
};
