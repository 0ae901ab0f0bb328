import { expect, test } from 'vitest';
import { mostPrepared, PreparedTexts } from './prepared-texts.ts';

/** Asks for a text so often that it is worth a name. */
function nameAfterAll(texts: PreparedTexts, text: string): string | undefined {
  let name: string | undefined;
  for (let use = 0; use < 11; use += 1) name = texts.nameOf(text);
  return name;
}

test('a text gets a name once it has come often, and keeps it', () => {
  const texts = new PreparedTexts('list');
  for (let use = 0; use < 10; use += 1) expect(texts.nameOf('SELECT 1')).toBeUndefined();
  expect(texts.nameOf('SELECT 1')).toBe('list 1');
  expect(texts.nameOf('SELECT 1')).toBe('list 1');
});

test('whoever takes all names keeps others from theirs only until they come often', () => {
  const texts = new PreparedTexts('list');
  const given = new Set(Array.from({ length: mostPrepared }, (_, at) => nameAfterAll(texts, `SELECT ${at}`)));
  expect(given.size).toBe(mostPrepared);
  const name = nameAfterAll(texts, 'SELECT late');
  expect(name).toBeDefined();
  expect(given).not.toContain(name);
});

test('a text that keeps coming keeps its name, however many others come and go', () => {
  const texts = new PreparedTexts('list');
  const name = nameAfterAll(texts, 'SELECT often');
  for (let at = 0; at < 3 * mostPrepared; at += 1) {
    nameAfterAll(texts, `SELECT ${at}`);
    expect(texts.nameOf('SELECT often')).toBe(name);
  }
  // The others have lost theirs, and get new ones.
  expect(texts.nameOf('SELECT 0')).toBeUndefined();
});
