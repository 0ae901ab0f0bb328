// @postgres newest
import { randomBytes } from 'node:crypto';
import { expect, test } from 'vitest';
import { getProject } from '../../../src/features/control/projects/index.ts';
import { findCollection } from '../../../src/features/data/collections/index.ts';
import { findTogether } from '../../../src/features/data/documents/shared-store.ts';
import { newCollection, newDocument } from '../../support/data/new-collection.ts';
import { useTestApp } from '../../support/test-app.ts';

const t = useTestApp();

const letters = (count: number) => 'x'.repeat(count);
const noise = (count: number) => randomBytes(count).toString('base64').slice(0, count);
/** Ordinary fields, which take about a fifth of their length. */
const fields = (count: number) =>
  JSON.stringify(Array.from({ length: count / 50 }, (_, n) => ({ name: `Name ${n}`, city: 'London', n })));

test.each([
  ['short', 'a few letters', letters(20), true],
  ['short', '2 KB, compressed', letters(2000), true],
  ['short', 'ordinary fields', fields(15_000), true],
  ['short', '60 KB that cannot be compressed', noise(60_000), true],
  ['long', '100 KB of one letter', letters(100_000), false],
  ['long', '1 MB of one letter', letters(1_000_000), false],
  ['long', '100 KB that cannot be compressed', noise(100_000), false],
])(
  'fat-reads: a document is %s by its length, not by the room it takes: %s',
  async (_is, _what, text, isShort) => {
    const { name, path } = await newCollection(t.api);
    const { id } = await newDocument(t.api, path, { text });
    const db = t.cells.forProject(await getProject(t.control, t.projects[0].ref));
    const collection = await findCollection(db, name);
    expect((await findTogether(db, collection!, id)) !== undefined).toBe(isShort);
    expect((await t.api.get(`${path}/${id}`)).body.data.text).toBe(text);
  },
);
