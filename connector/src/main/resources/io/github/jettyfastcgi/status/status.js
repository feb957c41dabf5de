'use strict';

const REFRESH = 2000;
const TIMEOUT = 5000;
const SPAN = 10 * 60 * 1000;
const MOST_ROWS = 100;
const SVG = 'http://www.w3.org/2000/svg';

const byId = (id) => document.getElementById(id);

function element(name, text, className) {
  const made = document.createElement(name);
  if (text !== undefined) made.textContent = text;
  if (className) made.className = className;
  return made;
}

function svg(name, attributes, text) {
  const made = document.createElementNS(SVG, name);
  for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, value);
  if (text !== undefined) made.textContent = text;
  return made;
}

// ---- texts

const whole = new Intl.NumberFormat('en', { maximumFractionDigits: 0 });
const compact = new Intl.NumberFormat('en', { notation: 'compact', maximumFractionDigits: 1 });

function number(value) {
  if (value === null || value === undefined) return '–';
  if (Math.abs(value) >= 10000) return compact.format(value);
  if (Math.abs(value) >= 100 || Number.isInteger(value)) return whole.format(value);
  return String(Number(value.toPrecision(3)));
}

function millis(value) {
  if (value === null || value === undefined) return '–';
  return value < 1000 ? number(value) + ' ms' : number(value / 1000) + ' s';
}

function bytes(value) {
  const units = ['B', 'kB', 'MB', 'GB', 'TB', 'PB'];
  let unit = 0;
  while (value >= 1000 && unit < units.length - 1) {
    value /= 1000;
    unit++;
  }
  return number(value) + ' ' + units[unit];
}

const words = (name) => name.replaceAll('_', ' ');

const lastOf = (list) => list.findLast((value) => value !== null);

// ---- tiles

function tile(name, value, note) {
  const tile = element('div');
  const shown = element('dd', value);
  if (note) shown.append(element('small', note));
  tile.append(element('dt', name), shown);
  return tile;
}

const limit = (most) => (most ? 'of at most ' + number(most) : 'no limit');

function showNow(status) {
  const { requests, threads, connections, history } = status;
  const failed = (requests.byStatus['5xx'] ?? 0) + (requests.byStatus.none ?? 0);
  const backlog = status.connectors.map((connector) => connector.backlog).filter((value) => value !== null);
  byId('now').replaceChildren(
    tile('Requests per second', number(lastOf(history.rate) ?? 0)),
    tile('Running', number(requests.running), limit(requests.maxRunning)
      + (requests.waitingForThread ? ', ' + number(requests.waitingForThread) + ' wait for a thread' : '')),
    tile('Queued', number(requests.queued), limit(requests.maxQueued)),
    tile('Median time', millis(lastOf(history.p50) ?? null), '99 %: ' + millis(lastOf(history.p99) ?? null)),
    tile('Connections', number(connections.open),
      backlog.length ? number(backlog.reduce((a, b) => a + b)) + ' wait to be accepted' : 'backlog unknown'),
    tile('Threads busy', number(threads.busy), threads.max ? 'of ' + number(threads.max) : ''),
    tile('Failed', number(failed), number(requests.aborted) + ' aborted'),
  );
}

// ---- charts

/** The distance of the lines behind a chart: 1, 2 or 5 times a power of ten, so that there are three to six. */
function step(max) {
  const power = 10 ** Math.floor(Math.log10(max / 3));
  return [1, 2, 5, 10].map((factor) => factor * power).find((each) => max / each <= 5) ?? max;
}

function path(times, values, x, y) {
  let path = '';
  let isOpen = false;
  values.forEach((value, i) => {
    if (value !== null) path += `${isOpen ? 'L' : 'M'}${x(times[i]).toFixed(1)} ${y(value).toFixed(1)}`;
    isOpen = value !== null;
  });
  return path;
}

/** Draws series of values over the last ten minutes, those of a series being an array beside that of the times. */
function chart(id, times, now, series, format) {
  const target = byId(id);
  const width = Math.max(200, target.clientWidth);
  const height = Math.max(100, target.clientHeight);
  const [left, right, top, bottom] = [42, 6, 8, 20];
  const max = Math.max(1e-3, ...series.flatMap(({ values }) => values.filter((value) => value !== null)));
  const distance = step(max);
  const end = Math.ceil(max / distance) * distance;
  const x = (time) => left + (width - left - right) * (1 - (now - time) / SPAN);
  const y = (value) => top + (height - top - bottom) * (1 - value / end);

  const drawn = [];
  for (let value = 0; value <= end * 1.001; value += distance) {
    drawn.push(svg('line', { class: 'grid', x1: left, x2: width - right, y1: y(value), y2: y(value) }));
    drawn.push(svg('text', { x: left - 6, y: y(value) + 4, 'text-anchor': 'end' }, compact.format(value)));
  }
  for (const [minute, text, anchor] of [[10, '−10 min', 'start'], [5, '−5 min', 'middle'], [0, 'now', 'end']])
    drawn.push(svg('text', { x: x(now - minute * 60000), y: height - 4, 'text-anchor': anchor }, text));
  series.forEach(({ values }, i) =>
    drawn.push(svg('path', { class: `series series-${i + 1}`, d: path(times, values, x, y) })));
  target.setAttribute('viewBox', `0 0 ${width} ${height}`);
  target.setAttribute('aria-label', series
    .map(({ name, values }) => `${name}: now ${format(lastOf(values) ?? null)}, at most ${format(Math.max(0, ...values))}`)
    .join('; '));
  target.replaceChildren(...drawn);
  key(target, series);
}

/** Names the series below a chart that has several. */
function key(target, series) {
  if (series.length < 2 || target.parentNode.querySelector('.key')) return;
  const list = element('ul', undefined, 'key');
  list.append(...series.map(({ name }, i) => element('li', name, `series-${i + 1}`)));
  target.after(list);
}

function showCharts({ history, time }) {
  const since = history.time.findIndex((each) => each > time - SPAN);
  const cut = (list) => (since < 0 ? [] : list.slice(since));
  const times = cut(history.time);
  chart('rate-chart', times, time, [{ name: 'Requests per second', values: cut(history.rate) }], number);
  chart('time-chart', times, time, [
    { name: 'Median', values: cut(history.p50) },
    { name: '95 %', values: cut(history.p95) },
    { name: '99 %', values: cut(history.p99) },
  ], millis);
  chart('load-chart', times, time, [
    { name: 'Connections', values: cut(history.connections) },
    { name: 'Running', values: cut(history.running) },
    { name: 'Waiting for a thread', values: cut(history.waitingForThread) },
    { name: 'Queued', values: cut(history.queued) },
  ], number);
}

// ---- lists

function showAdvice({ advice }) {
  const items = advice.map((each) => {
    const item = element('li', undefined, each.severity);
    item.append(element('p', each.severity, 'severity'), element('h3', each.title), element('p', each.figure, 'figure'));
    item.append(element('p', each.where));
    const line = element('pre');
    line.append(element('code', each.change));
    item.append(line);
    return item;
  });
  if (!items.length) items.push(element('li', 'Nothing to change, as far as can be seen from the last ten minutes.', 'none'));
  byId('advice').replaceChildren(...items);
}

function note(text) {
  const row = element('tr');
  const cell = element('td', text);
  cell.colSpan = 5;
  row.append(cell);
  return row;
}

const STATES = { queued: 'waits for others', waiting: 'waits for a thread' };

function showRunning({ running }) {
  const rows = running.slice(0, MOST_ROWS).map((each) => {
    const row = element('tr');
    const target = each.method + ' ' + (each.path ?? '') + (each.query ? '?' + each.query : '');
    const state = (STATES[each.state] ?? each.state) + (each.responseBegun ? ', response begun' : '');
    for (const text of [millis(each.ageMillis), target, state, each.thread ?? '–', each.client ?? 'unknown'])
      row.append(element('td', text));
    return row;
  });
  if (!rows.length) rows.push(note('None'));
  if (running.length > MOST_ROWS) rows.push(note(`and ${whole.format(running.length - MOST_ROWS)} younger ones`));
  byId('running').replaceChildren(...rows);
}

function totals(name, entries) {
  const box = element('div');
  const table = element('table');
  const body = element('tbody');
  for (const [key, value] of entries) {
    const row = element('tr');
    const head = element('th', key);
    head.scope = 'row';
    row.append(head, element('td', value));
    body.append(row);
  }
  table.append(body);
  box.append(element('h3', name), table);
  return box;
}

function showTotals(status) {
  const { connections, requests } = status;
  const count = (value) => whole.format(value);
  const counts = (map) => Object.entries(map).map(([key, value]) => [words(key), count(value)]);
  const times = (map) => Object.entries(map).map(([key, value]) => [key, millis(value)]);
  byId('totals').replaceChildren(
    totals('Finished requests', [['all', count(requests.finished)], ...counts(requests.byStatus)]),
    totals('Refused and aborted requests', [...counts(requests.refused), ['aborted', count(requests.aborted)],
      ['wrong content length', count(requests.contentLengthMismatches)]]),
    totals('Time to the first byte', times(status.firstByteMillis)),
    totals('Time of a request', times(status.totalMillis)),
    totals('Connections', [['opened', count(connections.opened)],
      ['refused', count(connections.refused)],
      ...counts(connections.closed).map(([key, value]) => ['closed: ' + key, value]),
      ['requests per connection', number(connections.requestsPerConnection.mean)]]),
    totals('Bytes and errors', [['received', bytes(status.bytes.in)], ['sent', bytes(status.bytes.out)],
      ...counts(status.protocolErrors)]),
    totals('Sockets', status.connectors.map((each) => [`${each.name} ${each.address ?? ''}`,
      each.backlog === null ? 'backlog unknown' : number(each.backlog) + ' waiting'])),
  );
}

// ---- refreshing

let isPaused = false;
let latest = null;

function tell(text, isStale) {
  const freshness = byId('freshness');
  if (freshness.textContent !== text) freshness.textContent = text;
  freshness.classList.toggle('stale', isStale);
}

function show(status) {
  latest = status;
  showNow(status);
  showAdvice(status);
  showCharts(status);
  showRunning(status);
  showTotals(status);
}

async function refresh() {
  try {
    const response = await fetch('?json', { cache: 'no-store', signal: AbortSignal.timeout(TIMEOUT) });
    if (!response.ok) throw new Error('Status ' + response.status);
    const status = await response.json();
    if (isPaused) return;
    show(status);
    tell('Live', false);
  } catch {
    const since = latest ? ' since ' + new Date(latest.time).toLocaleTimeString() : '';
    if (!isPaused) tell('No answer' + since, true);
  }
}

async function run() {
  if (!isPaused && !document.hidden) await refresh();
  setTimeout(run, REFRESH);
}

byId('pause').addEventListener('click', (event) => {
  isPaused = !isPaused;
  event.currentTarget.setAttribute('aria-pressed', String(isPaused));
  event.currentTarget.textContent = isPaused ? 'Go on' : 'Pause';
  tell(isPaused ? 'Paused' : 'Live', false);
});
addEventListener('resize', () => latest && showCharts(latest));
run();
