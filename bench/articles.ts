import { createProject } from '../packages/server/src/features/control/projects/index.ts';
import { ControlDb } from '../packages/server/src/platform/db/control-db.ts';
import type { Pool } from '../packages/server/src/platform/db/pool.ts';
import { newId } from '../packages/server/src/platform/ids.ts';
import { loadDocuments } from './bulk-load.ts';
import { call } from './http.ts';

/** A collection of articles, and how to read it. */
export interface Articles {
  readonly name: string;
  readonly url: string;
  readonly apiKey: string;
  readonly size: number;
}

export const authors = 1000;
const statuses = ['open', 'open', 'open', 'closed', 'closed', 'draft'];
const sharersOfRare = 5;
const vocabulary = makeWords(5000);
const chunk = 50_000;
/** Written through the service, which then knows the link, and counts in as many rows as it does when busy. */
const written = 1000;

/** Fills collections of one project, and one of authors that they link to. No index is asked for. */
export async function fillArticles(
  service: { readonly url: string },
  pool: Pool,
  sizes: Readonly<Record<string, number>>,
): Promise<Articles[]> {
  const { project, apiKey } = await createProject(new ControlDb(pool), { name: 'bench', tier: 'enterprise' });
  const url = `${service.url}/collections`;
  const post: Post = (path, body) => call(`${url}${path}`, apiKey, 'POST', body);
  await post('', { name: 'authors' });
  const people = Array.from({ length: authors }, (_, at) => ({
    name: `author${at}`,
    role: at % 10 === 0 ? 'editor' : 'writer',
  }));
  const authorIds = idsIn(await post('/authors/batch', { documents: people }));
  for (const [name, size] of Object.entries(sizes)) {
    const sample = () => article(size, authorIds);
    await post('', { name });
    await post(`/${name}/batch`, { documents: Array.from({ length: written }, sample) });
    await load(pool, { projectId: project.id, name, count: size - written, sample });
  }
  return Object.entries(sizes).map(([name, size]) => ({ name, url: `${url}/${name}`, apiKey, size }));
}

type Post = (path: string, body: unknown) => Promise<string>;

async function load(
  pool: Pool,
  wanted: { projectId: string; name: string; count: number; sample: () => unknown },
): Promise<void> {
  const { projectId, name, count, sample } = wanted;
  const { rows } = await pool.query<{ number: number }>(
    'SELECT number FROM cell.collections WHERE project_id = $1 AND name = $2',
    [projectId, name],
  );
  const collection = rows[0]!.number;
  for (let done = 0; done < count; done += chunk) {
    const documents = Array.from({ length: Math.min(chunk, count - done) }, () => ({
      projectId,
      collection,
      id: newId(collection),
      data: sample(),
    }));
    await loadDocuments(pool, documents);
  }
}

/** About 300 bytes. */
function article(size: number, authorIds: readonly string[]) {
  return {
    status: anyOf(statuses),
    views: Math.floor(Math.random() * 100_000),
    rare: rareValue(size),
    title: Array.from({ length: 6 }, anyWord).join(' '),
    author_id: anyOf(authorIds),
    note: 'Seen by the desk, sent back once, and printed on the inner pages of a later edition.',
  };
}

export const anyStatus = () => anyOf(statuses);

/** One of so many values that each is in about five documents. */
export const rareValue = (size: number) => `r${Math.floor(Math.random() * (size / sharersOfRare))}`;

/** One of the less frequent half of all words. */
export const rareWord = () => anyOf(vocabulary.slice(vocabulary.length / 2));

/** As in any text, the tenth most frequent word is ten times as rare as the first (Zipf's law). */
function anyWord(): string {
  return vocabulary[Math.floor(vocabulary.length ** Math.random()) - 1]!;
}

function anyOf<Item>(items: readonly Item[]): Item {
  return items[Math.floor(Math.random() * items.length)]!;
}

/** Made-up words that can be said, the same in every run. */
function makeWords(count: number): string[] {
  let state = 1;
  const pick = (letters: string) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return letters[Math.floor((state / 2 ** 32) * letters.length)]!;
  };
  const words = new Set<string>();
  while (words.size < count) {
    const syllables = 2 + Number(pick('012'));
    const parts = Array.from({ length: syllables }, () => pick('bcdfghjklmnprstvwz') + pick('aeiou'));
    words.add(parts.join('') + pick('lmnrst'));
  }
  return [...words];
}

function idsIn(answer: string): string[] {
  return (JSON.parse(answer) as { data: { id: string }[] }).data.map(({ id }) => id);
}
