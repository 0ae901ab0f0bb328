import { errorCatalogue } from '@plinth/protocol';
import { expect, test } from 'vitest';
import { knownScopes } from '../../src/calls/index.ts';
import { readPage, tablesOf } from '../support/markdown.ts';

const page = readPage('docs/keys.md');

test('docs/keys.md has every scope there is', () => {
  const { rows } = tablesOf(page).find(({ head }) => head[0] === 'scope')!;
  expect(rows.map(([scope]) => scope!.replaceAll('`', '')).toSorted()).toEqual(knownScopes.toSorted());
});

test('docs/keys.md gives each error the status it has', () => {
  const named = Array.from(page.matchAll(/(\d{3}) (?:\{"error": \{"code": ")?([a-z_]+)\b/g));
  const statuses: Record<string, { status: number }> = errorCatalogue;
  expect(named.length).toBeGreaterThan(4);
  for (const [, status, code] of named)
    expect([code, statuses[code!]?.status]).toEqual([code, Number(status)]);
});
