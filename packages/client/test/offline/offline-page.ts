import { createClient } from '../../src/index.ts';

interface Shown {
  status: string;
  texts: string[];
}

const { searchParams } = new URL(location.href);
const plinth = createClient({
  url: searchParams.get('url') ?? '',
  persist: true,
  outbox: true,
  // A line that is cut says so at once; a busy machine may take its time.
  timeoutMs: 30_000,
  retries: 0,
});
const shown: Shown = { status: '', texts: [] };
const tag = searchParams.get('tag') ?? '';
const board = plinth.collection('board');
const list = board.where('tag', tag).orderBy('text').live();

list.subscribe(({ status, items }) => {
  shown.status = status;
  shown.texts = items.map(({ text, n }) => (n === undefined ? text : `${text}:${n}`));
});

// What tests look at and call in the page.
Object.assign(globalThis, { plinth, shown, board, list, tag });
