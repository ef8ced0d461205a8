'use strict';
// A page of a run that goes on asks its server each second for newer data, until the run ends.
penstock.live = (() => {
  const EACH_MS = 1000;
  const LOST_AFTER = 3;

  const start = (status, changed) => {
    let failures = 0;

    const say = (state, text) => {
      status.dataset.state = state;
      penstock.dom.say(status, text);
    };

    const ask = async () => {
      try {
        const answer = await fetch(`data${location.search}`, { cache: 'no-store' });
        if (!answer.ok) throw new Error(String(answer.status));
        const report = await answer.json();
        failures = 0;
        changed(report);
        if (!report.live) {
          say('ended', 'ended');
          return;
        }
        say('running', 'running');
      } catch {
        failures++;
        if (failures >= LOST_AFTER) say('lost', 'connection lost');
      }
      setTimeout(ask, EACH_MS);
    };

    say('running', 'running');
    setTimeout(ask, EACH_MS);
  };

  return { start };
})();
