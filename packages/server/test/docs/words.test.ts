// @postgres newest
import { globSync, readFileSync } from 'node:fs';
import { errorCatalogue } from '@plinth/protocol';
import { describe, expect, test } from 'vitest';
import { homeMadeWords } from '../../../../tools/docs/home-made-words.ts';
import { readability } from '../../../../tools/docs/prose.ts';
import { repository } from '../support/markdown.ts';
import { useTestApp } from '../support/test-app.ts';

const pages = [
  'README.md',
  'ARCHITECTURE.md',
  'CONTRIBUTING.md',
  ...globSync('{docs/{*,recipes/*},examples/*/README,packages/*/README}.md', { cwd: repository }),
].toSorted();
const read = (path: string): string => readFileSync(`${repository}${path}`, 'utf8');

/** A page without code and link targets: names stay what they are. */
const proseOf = (markdown: string): string =>
  markdown
    .replace(/^```[\s\S]*?^```$/gm, '')
    .replace(/`[^`\n]*`/g, '`…`')
    .replace(/\]\([^)]*\)/g, ']');

/** The lines with a home-made word, and what to write instead. */
const homeMadeIn = (text: string): string[] =>
  text.split('\n').flatMap((line) =>
    homeMadeWords.flatMap(([words, instead]) => {
      const found = words.exec(line);
      return found ? [`${line.slice(Math.max(0, found.index - 60), found.index + 60)} → ${instead}`] : [];
    }),
  );

/** Every text of an OpenAPI document that people read. */
function textsOf(value: unknown): string[] {
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([name, inner]) =>
    (name === 'description' || name === 'summary') && typeof inner === 'string' ? [inner] : textsOf(inner),
  );
}

test('a home-made word is found', () => {
  expect(homeMadeIn('Nothing.\nWishes of before are not listened to.')).toEqual([
    'Wishes of before are not listened to. → request, choice',
  ]);
  expect(homeMadeIn(proseOf('`wish` is [a name](wish.md)\n```js\nwish()\n```'))).toEqual([]);
});

describe.each(pages)('%s', (page) => {
  const text = read(page);

  test('has no home-made words', () => {
    expect(homeMadeIn(proseOf(text))).toEqual([]);
  });

  test('reads easily', () => {
    const { words, perSentence, ease } = readability(text);
    if (words < 100) return;
    expect(perSentence).toBeLessThan(22);
    expect(ease).toBeGreaterThan(60);
  });

  test('names every column of its tables', () => {
    const heads = text.split('\n').filter((_, at, lines) => /^\|[ :|-]+\|$/.test(lines[at + 1] ?? ''));
    expect(heads.filter((head) => /\|\s*\|/.test(head))).toEqual([]);
  });
});

test('errors and the dashboard have no home-made words', () => {
  expect(
    homeMadeIn(
      Object.values(errorCatalogue)
        .flatMap(({ when }) => when)
        .join('\n'),
    ),
  ).toEqual([]);
  for (const file of ['texts.ts', 'code-texts.ts'])
    expect(
      homeMadeIn(proseOf(read(`packages/dashboard/src/${file}`).replace(/^\s*(\/\*\*|\*|\/\/).*$/gm, ''))),
    ).toEqual([]);
});

const t = useTestApp();

test('the HTTP reference has no home-made words', async () => {
  const { body } = await t.anonymous.get('/openapi.json');
  const texts = textsOf(body);
  expect(texts.length).toBeGreaterThan(500);
  expect(homeMadeIn(proseOf(texts.join('\n')))).toEqual([]);
});
