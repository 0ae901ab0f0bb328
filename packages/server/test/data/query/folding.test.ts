// @tables own moving
import { expect, test } from 'vitest';
import { fold } from '../../../src/features/data/query/scalars.ts';
import { newerLetters } from '../../support/query/arbitrary-values.ts';
import { useTestApp } from '../../support/test-app.ts';

const t = useTestApp();

test('PostgreSQL and JavaScript fold every character of Unicode 10 alike', async () => {
  const { rows } = await t.cells.pool(1).query<{ point: number; folded: string }>(`
    SELECT point, cell.fold(chr(point)) AS folded FROM generate_series(1, 1114111) AS point
    WHERE point NOT BETWEEN 55296 AND 57343 AND cell.fold(chr(point)) <> chr(point) COLLATE "C"`);
  const inSql = new Map(rows.map(({ point, folded }) => [point, folded]));
  const differing: string[] = [];
  for (let point = 1; point <= 0x10ffff; point += 1) {
    if (point >= 0xd800 && point <= 0xdfff) continue;
    const letter = String.fromCodePoint(point);
    if (newerLetters.test(letter)) continue;
    if (fold(letter) !== (inSql.get(point) ?? letter)) differing.push(point.toString(16));
  }
  expect(differing).toEqual([]);
  expect(rows.length).toBeGreaterThan(1300);
});

test('where a sigma stands does not matter', async () => {
  const words = [
    'Σ',
    'ΑΣ',
    'ΑΣ ',
    'ΑΣ.Β',
    'Σ\u0301',
    'ΑΣ\u0301Β',
    'ΑΣ\u{1d165}',
    'ΑΣ-Σ',
    "ΑΣ'",
    'ΑΣς',
    'ΑΣ\u00ad',
  ];
  const { rows } = await t.cells
    .pool(1)
    .query<{ folded: string }>('SELECT cell.fold(word) AS folded FROM unnest($1::text[]) AS word', [words]);
  expect(rows.map(({ folded }) => folded)).toEqual(words.map(fold));
  expect(words.map(fold)).toEqual(
    words.map((word) => word.replaceAll(/[Σς]/g, 'σ').toLowerCase().replaceAll('ς', 'σ')),
  );
});
