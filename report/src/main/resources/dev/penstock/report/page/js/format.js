'use strict';
// The page's one global. Each file adds a part and uses only parts of files before it.
const penstock = {};
window.penstock = penstock;

// Numbers as people read them; tables of numbers use the exact forms.
penstock.format = (() => {
  const grouped = new Intl.NumberFormat('en-US', { maximumFractionDigits: 6 });
  const NARROW = '\u202f'; // keeps a number and its unit on one line

  // Three digits that count: 1.62, 16.2, 162.
  const digits = (value) => {
    const size = Math.abs(value);
    if (size >= 100 || Number.isInteger(value)) return String(Math.round(value));
    return value.toFixed(size >= 10 ? 1 : 2);
  };

  const scaled = (value, units, step) => {
    let unit = 0;
    let rest = value;
    // 999.6 would be rounded to 1000 of its unit.
    while (Math.abs(rest) >= step - 0.5 && unit < units.length - 1) {
      rest /= step;
      unit++;
    }
    return digits(rest) + (units[unit] ? NARROW + units[unit] : '');
  };

  const known = (value) => value !== undefined && value !== null && Number.isFinite(value);
  const orDash = (format) => (value) => (known(value) ? format(value) : '\u2013');

  const seconds = (value) => {
    if (value >= 3600)
      return `${Math.floor(value / 3600)}${NARROW}h ${Math.round((value % 3600) / 60)}${NARROW}min`;
    if (value >= 120) return `${Math.floor(value / 60)}${NARROW}min ${Math.round(value % 60)}${NARROW}s`;
    if (value >= 1 || value === 0) return digits(value) + NARROW + 's';
    return value >= 1e-3 ? digits(value * 1e3) + NARROW + 'ms' : digits(value * 1e6) + NARROW + '\u00b5s';
  };

  // An axis of bytes of some three steps: 1, 2 or 5 times a power of 10 of a unit.
  const byteAxis = (most) => {
    const unit = 1024 ** Math.max(0, Math.floor(Math.log2(Math.max(1, most)) / 10));
    const rough = Math.max(1 / unit, most / unit / 3);
    const power = 10 ** Math.floor(Math.log10(rough));
    const interval = unit * power * [1, 2, 5, 10].find((step) => step * power >= rough);
    return { interval, max: interval * Math.max(1, Math.ceil(most / interval)) };
  };

  const plural = (value, one, many) => `${grouped.format(value)}${NARROW}${value === 1 ? one : many}`;

  return {
    exact: orDash((value) => grouped.format(value)),
    count: orDash((value) =>
      Math.abs(value) < 9999.5
        ? grouped.format(Number(digits(value)))
        : scaled(value, ['', 'k', 'M', 'G', 'T'], 1000),
    ),
    bytes: orDash((value) => scaled(value, ['B', 'KiB', 'MiB', 'GiB', 'TiB', 'PiB'], 1024)),
    seconds: orDash(seconds),
    nanos: orDash((value) => seconds(value / 1e9)),
    micros: orDash((value) => seconds(value / 1e6)),
    percent: orDash((share) => digits(share * 100) + NARROW + '%'),
    times: orDash((ratio) => digits(ratio) + '\u00d7'),
    byteAxis,
    plural,
    // "2026-11-27 13:00 UTC": the same for all readers, wherever they are.
    instant: (text) =>
      String(text)
        .replace('T', ' ')
        .replace(/(:\d\d)(:\d\d(\.\d+)?)?Z$/, '$1 UTC'),
    file: (location) => String(location).split('/').pop() || String(location),
  };
})();
