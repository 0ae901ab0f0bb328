import { LiveList } from './live-list.js';

const part = (id) => document.getElementById(id);
const list = part('items');
const settings = await fetch('settings.json');
const { base } = await settings.json();
const address = `${base}/collections/items`;

/** What can be seen of the connection, and no more than is known. */
const stateTexts = {
  connecting: 'Connecting…',
  live: 'Live: changes show at once',
  away: 'Not connected: what you see may be old. Trying again…',
  refused: 'Not connected',
};

function showState(state, reason) {
  part('connection').dataset.state = state;
  part('state').textContent = reason ? `${stateTexts[state]}: ${reason}` : stateTexts[state];
  part('retry').hidden = state !== 'away' && state !== 'refused';
}

/** Changes of one moment are read out together, or a busy list would never be silent. */
let news = [];
let telling;

function announce(text) {
  news.push(text);
  telling ??= setTimeout(() => {
    part('news').textContent = news.length > 3 ? `${news.length} changes` : news.join(', ');
    news = [];
    telling = undefined;
  }, 500);
}

function describe({ before, after }) {
  if (!before) return `${after.text} added`;
  if (!after) return `${before.text} deleted`;
  if (before.done !== after.done) return `${after.text} ${after.done ? 'done' : 'not done'}`;
  return `${after.text} changed`;
}

/** The row of an item: made once, then kept, so that the keyboard's focus stays where it is. */
const rows = new Map();

function rowOf({ id }) {
  let row = rows.get(id);
  if (!row) {
    row = part('item').content.firstElementChild.cloneNode(true);
    row.querySelector('input').addEventListener('change', (event) => tick(id, event.target));
    row.querySelector('button').addEventListener('click', () => remove(id));
    rows.set(id, row);
  }
  return row;
}

function fillRow(row, { text, done }) {
  row.querySelector('span').textContent = text;
  row.querySelector('input').checked = done;
  row.querySelector('button').setAttribute('aria-label', `Delete ${text}`);
}

function removeRow(id) {
  const row = rows.get(id);
  const hadFocus = row.contains(document.activeElement);
  const neighbour = row.nextElementSibling ?? row.previousElementSibling;
  row.remove();
  rows.delete(id);
  // Who deletes with the keyboard goes on from the next item, not from the top of the page.
  if (hadFocus) (neighbour?.querySelector('button') ?? list).focus();
}

function showItems(items, change) {
  // Ids sort by the time at which documents were created.
  const sorted = items.toSorted((one, other) => (one.id < other.id ? -1 : 1));
  const ids = new Set(sorted.map(({ id }) => id));
  for (const id of rows.keys()) if (!ids.has(id)) removeRow(id);
  for (const [at, item] of sorted.entries()) {
    const row = rowOf(item);
    fillRow(row, item);
    if (list.children[at] !== row) list.insertBefore(row, list.children[at] ?? null);
  }
  part('empty').hidden = sorted.length > 0;
  if (change && (change.before || change.after)) announce(describe(change));
}

/** Writes go over REST; what they change comes back over the live connection, to this window as to all others. */
async function call(method, url, body) {
  part('failure').textContent = '';
  try {
    const response = await fetch(url, {
      method,
      ...(body && { headers: { 'Content-Type': 'application/json' }, body: JSON.stringify(body) }),
    });
    const { success, error } = await response.json();
    // What somebody else has deleted already is as it should be.
    if (success || (method === 'DELETE' && error.code === 'document_not_found')) return true;
    part('failure').textContent = `Not saved. ${error.message}`;
  } catch {
    part('failure').textContent = 'Not saved: the service cannot be reached. Try again.';
  }
  return false;
}

async function tick(id, box) {
  const done = box.checked;
  if (!(await call('PATCH', `${address}/${id}`, { done }))) box.checked = !done;
}

async function remove(id) {
  await call('DELETE', `${address}/${id}`);
}

async function add(field) {
  const text = field.value.trim();
  // At once: the next item may be typed while this one is on its way.
  field.value = '';
  field.focus();
  if (text === '' || (await call('POST', address, { text, done: false }))) return;
  if (field.value === '') field.value = text;
  else part('failure').textContent += ` (${text})`;
}

part('add').addEventListener('submit', (event) => {
  event.preventDefault();
  void add(part('text'));
});

const live = new LiveList({
  url: `${base.replace(/^http/, 'ws')}/realtime`,
  collection: 'items',
  onState: showState,
  onChange: showItems,
});
live.connect();
part('retry').addEventListener('click', () => live.retryNow());
globalThis.addEventListener('online', () => live.retryNow());
// The browser's word is not proof: the connection itself is asked.
globalThis.addEventListener('offline', () => live.check());
document.addEventListener('visibilitychange', () => {
  if (!document.hidden) live.retryNow();
});
