// @postgres newest
import fc from 'fast-check';
import { beforeAll, describe, expect, test } from 'vitest';
import { Client } from '../../support/client.ts';
import { newCollection } from '../../support/data/new-collection.ts';
import { file, sendForm } from '../../support/files/forms.ts';
import { useTestApp } from '../../support/test-app.ts';
import { Model, type Step, steps, take } from './files-model-steps.ts';
import { expectTidy, orphans, usageOf } from './files-probes.ts';

const t = useTestApp();
let other: Client;
beforeAll(async () => {
  other = new Client((await t.node()).url, { 'x-api-key': t.projects[0].apiKey });
});

test('U4: whatever is done to documents, their files are those of a simple model', async () => {
  const kinds = Object.keys(steps) as Step['kind'][];
  const step: fc.Arbitrary<Step> = fc.record({
    kind: fc.constantFrom(...kinds, 'create', 'replace', 'append'),
    which: fc.nat(5),
    field: fc.constantFrom('a' as const, 'b' as const, 'list' as const),
    sizes: fc.array(fc.integer({ min: 0, max: 50 }), { maxLength: 3 }),
  });
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 3, maxLength: 14 }), async (steps) => {
      const before = await usageOf(t.api);
      const { path } = await newCollection(t.api);
      const model = new Model();
      for (const step of steps) await take({ api: t.api, other, path, model }, step);
      const now = await usageOf(t.api);
      expect({ files: now.files - before.files, used: now.used - before.used }).toEqual(model.usage);
      const answers = await Promise.all(
        [...model.files.keys()].map(async (url) => [url, (await fetch(url)).status === 200] as const),
      );
      expect(answers.filter(([, isThere]) => isThere).map(([url]) => url)).toEqual(model.there());
      await t.api.delete(path);
      await expect.poll(() => usageOf(t.api)).toEqual(before);
    }),
    { numRuns: 50 },
  );
  await expectTidy(t);
});

describe('U4: many at once', () => {
  test('a file deleted while a batch lets go of it and another: neither is in the other’s way', async () => {
    const before = await usageOf(t.api);
    const { path } = await newCollection(t.api);
    const make = async () =>
      (await sendForm(t.api, 'POST', path, [['f', file('f.txt', 'f')]])).body.data.id as string;
    const ids = [await make(), await make()].toSorted();
    const { data } = (await t.api.get('/storage/list?limit=100')).body;
    const second = (data as { id: string; heldBy?: string }[]).find(({ heldBy }) => heldBy === ids[1])!;
    // Whoever comes to the project's figures first stays first while they are held.
    const connection = await t.cells.pool(t.projects[0].cell).connect();
    const waiting = async (calls: number) => {
      const locked = `SELECT FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'`;
      await expect
        .poll(async () => (await t.cells.pool(t.projects[0].cell).query(locked)).rowCount)
        .toBe(calls);
    };
    try {
      await connection.query('BEGIN');
      await connection.query('SELECT FROM cell.storage_usage FOR UPDATE');
      const batch = t.api.post(`${path}/batch-update`, { updates: ids.map((id) => ({ id, f: null })) });
      await waiting(1);
      const deletion = other.delete(`/storage/file/${second.id}`);
      await waiting(2);
      await connection.query('COMMIT');
      const [updated, deleted] = await Promise.all([batch, deletion]);
      expect(updated.status, updated.text).toBe(200);
      expect([200, 404], deleted.text).toContain(deleted.status);
    } finally {
      connection.release(true);
    }
    expect(await usageOf(t.api)).toEqual(before);
  });

  test('30 at once replace, drop and delete the files of one document, and counts stay exact', async () => {
    const { path } = await newCollection(t.api);
    const before = await usageOf(t.api);
    const lying = await orphans(t);
    const make = async () =>
      (await sendForm(t.api, 'POST', path, [['f', file('f.txt', 'first')]])).body.data.id as string;
    for (let round = 0; round < 3; round += 1) {
      const id = await make();
      const filesOf = async () =>
        (
          (await t.api.get('/storage/list?limit=100')).body.data as {
            id: string;
            url: string;
            heldBy?: string;
          }[]
        ).filter(({ heldBy }) => heldBy === id);
      const [held] = await filesOf();
      const ways = [
        () => sendForm(t.api, 'PATCH', `${path}/${id}`, [['f', file('f.txt', 'second')]]),
        () => sendForm(other, 'PUT', `${path}/${id}`, [['g', file('g.txt', 'third')]]),
        () => sendForm(other, 'PATCH', `${path}/${id}`, [['$append.list', file('h.txt', 'fourth')]]),
        () => t.api.patch(`${path}/${id}`, { $unset: { f: true } }),
        () => other.delete(`/storage/file/${held!.id}`),
        () => (round === 2 ? t.api.delete(`${path}/${id}`) : t.api.get(`${path}/${id}`)),
      ];
      const replies = await Promise.all(
        Array.from({ length: 5 }, () => ways)
          .flat()
          .map((call) => call()),
      );
      for (const { status, text } of replies) expect([200, 404], text).toContain(status);
      // Of what the document names, those are there that it holds, and no others.
      const document = (await t.api.get(`${path}/${id}`)).text;
      const paths = new Set(document.match(/\/files\/[^"]+/g));
      const there = await Promise.all(
        [...paths].map(async (path) => (await fetch(`${t.url}${path}`)).status),
      );
      const kept = await filesOf();
      expect(there.filter((status) => status === 200)).toHaveLength(kept.length);
      for (const { url } of kept) expect(paths).toContain(new URL(url).pathname);
      await t.api.delete(`${path}/${id}`);
    }
    expect(await usageOf(t.api)).toEqual(before);
    // What lay there before may have been swept meanwhile.
    expect((await orphans(t)).filter((key) => !lying.includes(key))).toEqual([]);
  });
});
