import { expect, test } from 'vitest';
import { redactPath, redactQuery } from './redact.ts';

test.each([
  ['/collections/posts/0198c2a0', true, '/collections/posts/0198c2a0'],
  ['/collections/plk_abc', true, '/collections/…'],
  ['/collections/%70lk_abc/x', true, '/collections/…/x'],
  ['/collections/eyJhbGciOi.x.y', true, '/collections/…'],
  ['/collections/caf\u00e9"\\', true, '/collections/caf?"\\'],
  [`/verify/${'a'.repeat(41)}`, false, '/verify/…'],
  ['/collection/posts', false, '/collection/posts'],
])('of the path %s (a route: %s) is kept %s', (path, isRoute, kept) => {
  expect(redactPath(path, isRoute)).toBe(kept);
});

test.each([
  ['a=1&b=2', false, 'a=…&b=…'],
  ['a=1&b=x%20y', true, 'a=1&b=x%20y'],
  ['a=1=2&flag', true, 'a=1=2&flag'],
  ['password=1&my_token=2&%74oken=3&zip=4', true, 'password=…&my_token=…&%74oken=…&zip=4'],
  ['a=eyJx&b=%65yJx&plr_x', true, 'a=…&b=…&…'],
  [`${'a'.repeat(41)}=1`, true, '…=1'],
  ['a=\u0000\ud800', true, 'a=??'],
])('of the query %s (with values: %s) is kept %s', (query, withValues, kept) => {
  expect(redactQuery(query, withValues)).toBe(kept);
});

test('what is kept is bounded', () => {
  expect(redactPath(`/${'a/'.repeat(5000)}`, true).length).toBeLessThanOrEqual(1000);
  expect(redactQuery('a=1&'.repeat(5000), true).split('&').length).toBeLessThanOrEqual(50);
  expect(redactQuery(`a=${'b'.repeat(5000)}`, true).length).toBeLessThanOrEqual(202);
});
