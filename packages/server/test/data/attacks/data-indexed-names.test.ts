// @postgres newest
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { expectSafe } from '../../support/data/guarded-client.ts';
import { hostileNames } from '../../support/data/hostile-names.ts';
import { newCollection, newDocument } from '../../support/data/new-collection.ts';
import { Stored } from '../../support/data/stored.ts';
import { trapSleep } from '../../support/data/trap-sleep.ts';
import { untilBuilt } from '../../support/indexes/fill.ts';
import { checkList } from '../../support/indexes/one-meaning.ts';
import { TwinStage } from '../../support/indexes/twins.ts';
import type { TestApp } from '../../support/test-app.ts';

let stage: TwinStage;
let stored: Stored;
let expectUnchanged: () => Promise<void>;
beforeAll(async () => {
  stage = await TwinStage.open();
  stored = new Stored(stage.t, stage.t.projects[0]);
  expectUnchanged = await addNeighbour(stage.t);
  await trapSleep(stage.t.cells.pool(stage.t.projects[0].cell));
});
afterEach(async () => {
  expect(({} as { polluted?: unknown }).polluted).toBeUndefined();
});
afterAll(() => stage[Symbol.asyncDispose]());

/** Another project in the same database. */
async function addNeighbour(t: TestApp): Promise<() => Promise<void>> {
  let other = await t.createProject('neighbour');
  while (other.cell !== t.projects[0].cell) other = await t.createProject('neighbour');
  const { path } = await newCollection(other.api);
  const document = await newDocument(other.api, path, { secret: 'canary-7d1f' });
  return async () => {
    const { body } = await other.api.get(path);
    expect([body.total, body.data]).toEqual([1, [document]]);
  };
}

const wide = '😀';

/** Names that mean something to SQL, to arrays and literals of PostgreSQL, to paths, or are merely odd. */
const names = [
  ...hostileNames,
  "x'||pg_sleep(5)||'",
  "\\'; DROP SCHEMA own CASCADE; --",
  `E'\\'' OR true`,
  'U&"\\0027"',
  '$q$',
  '$1)::text',
  'NULL',
  '{a,b}',
  '"a","b"',
  '\\',
  '\\\\',
  'a\\.b',
  'a.b',
  '.',
  '-',
  '-x',
  '--x',
  ' ',
  'tab\t',
  'line\nbreak',
  'e\u0301',
  '\u00e9',
  '\u202eabc',
  '\ufeff',
  wide,
  'ß',
  'K',
  'toString',
  'hasOwnProperty',
  'SELECT',
  'data',
  'x'.repeat(180),
  wide.repeat(90),
  '__proto__',
  'constructor',
  'prototype',
];

const oneKey = (name: string) => name.replaceAll('.', '\\.');
const parameter = encodeURIComponent;
/** Names that no body can have. */
const isRefused = (name: string) => /^(__proto__|constructor|prototype)$|^\$/.test(name);

/** Asks for an index; whatever was sent, the answer is a record or says why not. */
async function ask(path: string, kind: string, fields: readonly string[]): Promise<boolean> {
  const reply = await stage.indexed.post(`${path}/indexes`, { kind, fields });
  expectSafe(reply);
  expect([201, 400]).toContain(reply.status);
  if (reply.status === 201) {
    expect(reply.body.data.fields).toEqual(fields);
    return true;
  }
  expect(['invalid_index', 'invalid_body']).toContain(reply.body.error.code);
  expect(reply.body.error.message.length).toBeGreaterThan(20);
  return false;
}

test.each(names.map((name, at) => [name.slice(0, 40), name, at] as const))(
  'Q1: %j as the field of an index is only a name',
  async (_, name, at) => {
    const field = oneKey(name);
    const values = ['b', 'B', 5, null, ['b', 5], { x: 1 }, `${'l'.repeat(128)}z`, `${'l'.repeat(128)}a`];
    const bodies = values.map((value, n) => ({
      n,
      ...(!isRefused(name) && { [name]: value }),
      ...(name.startsWith('$') && { deep: { [name]: value } }),
      ...(!isRefused(name) && { deep: { [name]: value } }),
    }));
    const twins = await stage.load(`name-${at}`, bodies);
    const path = `/collections/${twins.name}`;
    await stage.move(twins.name);
    const inside = `deep.${field}`;
    const isTop = !isRefused(name);
    // What begins with "-" can be named descending only.
    const isSigned = name.startsWith('-');
    expect(await ask(path, 'sort', [isSigned ? `-${field}` : field])).toBe(isTop);
    expect(await ask(path, 'sort', [`-${inside}`, 'n'])).toBe(isTop || name.startsWith('$'));
    expect(await ask(path, 'search', [field])).toBe(isTop && !isSigned);
    expect(await ask(path, 'search', [inside])).toBe(isTop || name.startsWith('$'));
    expect(await ask(path, 'unique', [field, 'n'])).toBe(isTop && !isSigned);
    const built = await untilBuilt(stage.indexed, twins.name);
    for (const { state, failure } of built) expect([state, failure]).toEqual(['ready', null]);
    await stage.caughtUp();
    const queries = [field, inside].flatMap((asked) => [
      `field:${parameter(asked)}=b`,
      `${parameter(asked)}=5`,
      `${parameter(asked)}__gt=a&orderBy=${parameter(asked.replaceAll(',', '\\,'))}`,
      `${parameter(asked)}__in=b,5,${'l'.repeat(128)}z&orderBy=n&order=desc`,
      `${parameter(asked)}__contains=B`,
      `${parameter(asked)}__isnull=true`,
      `orderBy=${parameter(asked.replaceAll(',', '\\,'))},n&order=desc`,
    ]);
    // What is counted and what is not is read in two ways.
    for (const [place, query] of queries.entries())
      await checkList(stage, twins, {
        queryString: `${query}&limit=100`,
        prefer: place % 2 === at % 2 ? '' : 'count=none',
      });
  },
);

test('Q1: all that hostile names have left in the database are indexes by the name of their ids', async () => {
  const rows = await stored.query<{ definition: string }>(
    `SELECT indexdef AS definition FROM pg_indexes WHERE schemaname = 'own' AND $1::bigint IS NOT NULL`,
  );
  expect(rows.length).toBeGreaterThan(names.length * 3);
  for (const { definition } of rows) {
    expect(definition).toMatch(
      /^CREATE (UNIQUE )?INDEX (documents_\d+_\d+_pkey|(sort|search)_[0-9a-f]{32}) ON own\.documents_\d+_\d+ USING (btree|gin) \(/,
    );
  }
  const [{ tables }] = (await stored.query<{ tables: number }>(
    `SELECT count(*)::int AS tables FROM pg_class WHERE relkind = 'r' AND $1::bigint IS NOT NULL
       AND relnamespace = 'own'::regnamespace AND relname !~ '^documents_\\d+_\\d+$'`,
  )) as [{ tables: number }];
  expect(tables).toBe(0);
  await expectUnchanged();
});
