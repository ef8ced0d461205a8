'use strict';
// What the file carries packed: gzip, then Base64.
penstock.embedded = (() => {
  const unpack = async (text) => {
    const bytes = Uint8Array.from(atob(text.trim()), (letter) => letter.charCodeAt(0));
    const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream('gzip'));
    return new Response(stream).text();
  };

  const text = (element) =>
    element.dataset.encoding === 'gzip' ? unpack(element.textContent) : Promise.resolve(element.textContent);

  // The report in a page: in this one, or in another that a reader chose.
  const report = async (page) => {
    const element = page.getElementById('report');
    if (!element) throw new Error('it has no element "report"');
    const data = JSON.parse(await text(element));
    if (data.version !== 1 || !Array.isArray(data.runs)) {
      throw new Error(`its data have version ${data.version} but this page reads version 1`);
    }
    return data;
  };

  // The policy allows the charts' library by its hash, so it can run only as it was written.
  const charts = async () => {
    const script = document.createElement('script');
    script.textContent = await text(document.getElementById('charts'));
    document.head.append(script);
  };

  return { report, charts };
})();
