import { afterAll, beforeAll, expect, test } from 'vitest';
import { type TestApp, testApp } from '../support/test-app.ts';
import { corpus } from './corpus.ts';
import { checkCase, matcherReader, oracleReader, sqlReader } from './one-meaning.ts';
import { loadDocuments } from './rounds.ts';

let t: TestApp;
beforeAll(async () => {
  t = await testApp();
});
afterAll(() => t[Symbol.asyncDispose]());

test.each(corpus.map((entry, number) => ({ ...entry, number })))(
  'one meaning: $why',
  async ({ documents, query, gives, number }) => {
    const round = await loadDocuments(t.api, `case-${number}`, documents);
    const queryString = Object.entries(query)
      .map(([name, value]) => `${encodeURIComponent(name)}=${encodeURIComponent(value)}`)
      .join('&');
    const readers = { sql: sqlReader(t.api), matcher: matcherReader(), oracle: oracleReader };
    const reply = await checkCase(round, queryString, readers);
    if (gives) expect(reply).toEqual(gives.map((at) => round.documents[at]!.id));
  },
);
