import { createClient } from '@plinth/client';

const part = (id) => document.getElementById(id);
void navigator.serviceWorker?.register('service-worker.js');

// A list is known by its code: whoever has the address has the list.
if (!location.hash) location.replace(`#${crypto.randomUUID().slice(0, 13)}`);
const code = location.hash.slice(1);
part('share').href = location.href;

const settings = await fetch('settings.json');
const { base } = await settings.json();
const plinth = createClient({ url: base, persist: true, outbox: true });
const groceries = plinth.collection('groceries');

/** How many changes wait, and whether there is a line: no more is said than is known. */
let waiting;
let status = 'connecting';

function showState() {
  const count = waiting === 1 ? '1 change' : `${waiting} changes`;
  const texts = {
    connecting: 'Opening…',
    live: waiting === 0 ? 'All saved' : `Saving ${count}`,
    away: waiting === 0 ? 'No connection: you can go on' : `No connection: ${count} to be sent`,
    refused: 'This list cannot be opened',
  };
  part('connection').dataset.state = status;
  part('state').textContent = texts[waiting === undefined ? 'connecting' : status];
}

/** The row of an item: made once, then kept, so that the keyboard's focus stays where it is. */
const rows = new Map();
/** Ticked, and not kept yet: until then the list says what was before. */
const ticking = new Set();

function rowOf({ id, text, bought }) {
  let row = rows.get(id);
  if (!row) {
    row = part('item').content.firstElementChild.cloneNode(true);
    row.querySelector('input').addEventListener('change', async ({ target }) => {
      ticking.add(id);
      await groceries.update(id, { bought: target.checked }).finally(() => ticking.delete(id));
    });
    row.querySelector('button').addEventListener('click', () => void groceries.delete(id));
    rows.set(id, row);
  }
  row.querySelector('span').textContent = text;
  if (!ticking.has(id)) row.querySelector('input').checked = bought;
  row.querySelector('button').setAttribute('aria-label', `Delete ${text}`);
  return row;
}

function removeRow(id, row) {
  const hadFocus = row.contains(document.activeElement);
  const neighbour = row.nextElementSibling ?? row.previousElementSibling;
  row.remove();
  rows.delete(id);
  if (hadFocus) (neighbour?.querySelector('button') ?? part('items')).focus();
}

function showItems(items) {
  const ids = new Set(items.map(({ id }) => id));
  for (const [id, row] of rows) if (!ids.has(id)) removeRow(id, row);
  for (const [at, item] of items.entries()) {
    const row = rowOf(item);
    const there = part('items').children[at];
    if (there !== row) part('items').insertBefore(row, there ?? null);
  }
  part('empty').hidden = items.length > 0 || status === 'connecting';
}

/** What the server did not take, with the reason: somebody has to decide. */
function showRefused(refused) {
  const shown = refused.map(({ seq, body, error }) => {
    const row = part('refusal').content.firstElementChild.cloneNode(true);
    row.querySelector('span').textContent =
      `Not saved${body?.text ? ` (${body.text})` : ''}: ${error.message}`;
    row.querySelector('.again').addEventListener('click', () => void plinth.outbox.retry(seq));
    row.querySelector('.discard').addEventListener('click', () => void plinth.outbox.discard(seq));
    return row;
  });
  part('refused').replaceChildren(...shown);
}

part('add').addEventListener('submit', (event) => {
  event.preventDefault();
  const field = part('text');
  const text = field.value.trim();
  field.value = '';
  field.focus();
  if (text !== '') void groceries.create({ list: code, text, bought: false });
});

plinth.outbox.subscribe((outbox) => {
  if (!outbox.isLoaded) return;
  waiting = outbox.waiting.length;
  showRefused(outbox.refused);
  showState();
});
groceries
  .where('list', code)
  .orderBy('createdAt')
  .live()
  .subscribe((list) => {
    status = list.status;
    showState();
    showItems(list.items);
  });
