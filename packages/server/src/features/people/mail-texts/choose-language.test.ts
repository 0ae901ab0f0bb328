import { expect, test } from 'vitest';
import { chooseLanguage } from './choose-language.ts';

const available = ['en', 'de', 'fr', 'es'] as const;

test.each([
  [undefined, 'es'],
  ['', 'es'],
  ['de', 'de'],
  ['DE', 'de'],
  ['de-AT', 'de'],
  ['zh-Hant-TW', 'es'],
  ['de-AT,de;q=0.9,en;q=0.8', 'de'],
  ['en;q=0.5, fr;q=0.7', 'fr'],
  ['en;q=0.5,fr;q=0.5', 'en'],
  ['it, fr ; q=0.3', 'fr'],
  ['de;q=0, fr;q=0.1', 'fr'],
  ['de;q=0', 'es'],
  ['*', 'es'],
  ['*;q=0.5, fr;q=0.1', 'fr'],
  ['de;q=abc', 'es'],
  ['de;q=7', 'es'],
  [';;;,,,=', 'es'],
  ['de;q=abc, en', 'en'],
  ['__proto__, constructor', 'es'],
  [`${'x-'.repeat(100_000)}de`, 'es'],
])('%s is answered in %s', (header, language) => {
  expect(chooseLanguage(header, available, 'es')).toBe(language);
});

test('an exact match is better than its language', () => {
  expect(chooseLanguage('pt-BR', ['pt', 'pt-BR'], 'pt')).toBe('pt-BR');
});
