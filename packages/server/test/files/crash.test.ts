// @postgres newest
import { randomBytes } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { sweepLooseBlobs } from '../../src/features/files/index.ts';
import { openBlobStore } from '../../src/platform/blobs/open-blob-store.ts';
import { Client } from '../support/client.ts';
import { newCollection } from '../support/data/new-collection.ts';
import { file, sendForm, upload } from '../support/files/forms.ts';
import { kills } from '../support/kills.ts';
import { startNodeOf } from '../support/nodes/plinth-process.ts';
import { type TestApp, testApp } from '../support/test-app.ts';
import { storesUnderTest } from './stores.ts';

const atOnce = 4;

describe.each(storesUnderTest)('a node killed mid-upload, $name', ({ open }) => {
  let t: TestApp;
  let keys: () => Promise<string[]>;
  let collection: string;
  beforeAll(async () => {
    const store = await open();
    t = await testApp(store.settings);
    keys = () => store.keys(t);
    ({ path: collection } = await newCollection(t.api));
  });
  afterAll(() => t[Symbol.asyncDispose]());

  test(`${kills} times leaves neither a record without bytes nor bytes without a record`, async () => {
    const acknowledged: string[] = [];
    let cut = 0;
    const killOne = async (number: number) => {
      await using node = await oneNode(t);
      const api = new Client(node.url, { 'x-api-key': t.projects[0].apiKey });
      const own: string[] = [];
      const calls = uploadsOf(api, collection).map((call) =>
        call.then(
          (id) => {
            own.push(id);
            return acknowledged.push(id);
          },
          () => {
            cut += 1;
          },
        ),
      );
      // With none of them through, or one, or more; and then at any moment.
      await expect.poll(() => own.length).toBeGreaterThanOrEqual(number % 4);
      await sleep(Math.random() * 60);
      await node.kill();
      await Promise.all(calls);
    };
    const looseBlobs = async () =>
      (await t.cells.pool(t.projects[0].cell).query('SELECT FROM cell.loose_blobs')).rows;
    // Now and then none of the first few hits a node between the bytes and their record.
    for (
      let kill = 0;
      kill < kills || (kill < 5 * kills && (await looseBlobs()).length === 0);
      kill += atOnce
    ) {
      await Promise.all(Array.from({ length: atOnce }, (_, at) => killOne(kill + at)));
    }
    const left = await looseBlobs();
    console.log(
      `killed ${kills} times: ${cut} uploads cut off, ${acknowledged.length} acknowledged, ${left.length} left loose`,
    );
    expect(cut).toBeGreaterThan(kills);
    expect(left.length).toBeGreaterThan(0);
    expect(acknowledged.length).toBeGreaterThan(0);

    // As if the hour had passed for which bytes without a record are kept.
    const blobs = await openBlobStore(t.config);
    for (const number of t.cells.numbers) {
      await t.cells.pool(number).query('UPDATE cell.loose_blobs SET remove_after = now()');
      await sweepLooseBlobs(t.cells.pool(number), blobs);
      const { rows } = await t.cells.pool(number).query('SELECT tree FROM cell.loose_blobs');
      expect(rows).toEqual([]);
    }
    await blobs.close();
    const pool = t.cells.pool(t.projects[0].cell);
    const { rows } = await pool.query<{ key: string; id: string; size: string }>(
      `SELECT project_id || '/' || id || '/original' AS key, id, size FROM cell.files`,
    );
    expect((await keys()).toSorted()).toEqual(rows.map(({ key }) => key).toSorted());
    const { rows: holders } = await pool.query('SELECT held_by FROM cell.files WHERE held_by IS NOT NULL');
    const recorded = new Set([...rows.map(({ id }) => id), ...holders.map(({ held_by: id }) => id)]);
    expect(acknowledged.filter((id) => !recorded.has(id))).toEqual([]);
    const { data } = (await t.api.get('/storage/info')).body;
    const bytes = rows.reduce((sum, { size }) => sum + Number(size), 0);
    expect([data.files, data.used]).toEqual([rows.length, bytes]);
    for (const { id, size } of rows) {
      const { url } = (await t.api.get(`/storage/file/${id}`)).body.data;
      expect((await (await fetch(url)).arrayBuffer()).byteLength).toBe(Number(size));
    }
  });
});

const noise = randomBytes(12 * 1_048_576);
const content = (megabytes: number) =>
  Buffer.concat([Buffer.from('%PDF-'), noise.subarray(0, megabytes * 1_048_576)]);

/** Uploads of several sizes and ways, each answering with the id of a file or document. */
function uploadsOf(api: Client, collection: string): Promise<string>[] {
  const inDocument = [1, 2].map((size) => [`f${size}`, file('a.pdf', content(size))] as const);
  return [
    upload(api, 'a.pdf', content(1)),
    upload(api, 'a.pdf', content(4)),
    upload(api, 'a.pdf', content(12)),
    upload(api, 'a.pdf', content(12)),
    sendForm(api, 'POST', collection, inDocument),
    sendForm(api, 'POST', collection, inDocument),
  ].map(async (call) => {
    const { status, body } = await call;
    if (status !== 201) throw new Error(`answered ${status}`);
    return body.data.id;
  });
}

async function oneNode(t: TestApp) {
  const { process, url } = await startNodeOf(t);
  return {
    url,
    kill: () => process.stop('SIGKILL'),
    [Symbol.asyncDispose]: () => process[Symbol.asyncDispose](),
  };
}
