import { createClient, isPlinthError } from '@plinth/client';

const part = (id) => document.getElementById(id);
const list = part('items');
const settings = await fetch('settings.json');
const { base } = await settings.json();
const plinth = createClient({ url: base, retries: 1 });
const items = plinth.collection('items');

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

/** Says what has changed since the last time. */
function tell(before, after) {
  for (const item of after) {
    const known = before.get(item.id);
    if (!known) announce(`${item.text} added`);
    else if (known.done !== item.done) announce(`${item.text} ${item.done ? 'done' : 'not done'}`);
    else if (known.text !== item.text) announce(`${item.text} changed`);
    before.delete(item.id);
  }
  for (const { text } of before.values()) announce(`${text} deleted`);
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

function showItems(sorted) {
  const ids = new Set(sorted.map(({ id }) => id));
  for (const id of rows.keys()) if (!ids.has(id)) removeRow(id);
  for (const [at, item] of sorted.entries()) {
    const row = rowOf(item);
    fillRow(row, item);
    if (list.children[at] !== row) list.insertBefore(row, list.children[at] ?? null);
  }
  part('empty').hidden = sorted.length > 0;
}

/** What is written comes back over the live connection, to this window as to all others. */
async function save(write) {
  part('failure').textContent = '';
  try {
    await write;
    return true;
  } catch (error) {
    // What somebody else has deleted already is as it should be.
    if (isPlinthError(error, 'document_not_found')) return true;
    if (!isPlinthError(error)) throw error;
    const isCut = error.status === 0;
    part('failure').textContent = isCut
      ? 'Not saved: the service cannot be reached. Try again.'
      : `Not saved. ${error.message}`;
    return false;
  }
}

async function tick(id, box) {
  const done = box.checked;
  if (!(await save(items.update(id, { done })))) box.checked = !done;
}

async function remove(id) {
  await save(items.delete(id));
}

async function add(field) {
  const text = field.value.trim();
  // At once: the next item may be typed while this one is on its way.
  field.value = '';
  field.focus();
  if (text === '' || (await save(items.create({ text, done: false })))) return;
  if (field.value === '') field.value = text;
  else part('failure').textContent += ` (${text})`;
}

part('add').addEventListener('submit', (event) => {
  event.preventDefault();
  void add(part('text'));
});

/** What was shown last, to say what has changed; nothing before the first time. */
let shown;

items
  .orderBy('createdAt')
  .live()
  .subscribe(({ status, items: sorted, error }) => {
    showState(status, status === 'refused' ? error?.message : undefined);
    showItems(sorted);
    if (status !== 'live') return;
    if (shown) tell(shown, sorted);
    shown = new Map(sorted.map((item) => [item.id, item]));
  });
part('retry').addEventListener('click', () => plinth.connection.retry());
