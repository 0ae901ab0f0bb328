// @tables own moving
import { expect, test } from 'vitest';
import { corpus } from '../../support/query/corpus.ts';
import { loadDocuments } from '../../support/query/rounds.ts';
import { useTestApp } from '../../support/test-app.ts';
import { checkCase, matcherReader, oracleReader, sqlReader } from './one-meaning.ts';

const t = useTestApp();

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
