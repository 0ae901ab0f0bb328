import { expect, test } from 'vitest';
import { redactMessage, redactPath, redactQuery } from './redact.ts';

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

test.each([
  ['There is no collection "books".', false, 'There is no collection "books".'],
  ['There is no collection "books".', true, 'There is no collection "…".'],
  ['There is no collection "boo', true, 'There is no collection "…"'],
  [
    'This API key may not be used from 203.0.113.7. Call elsewhere.',
    false,
    'This API key may not be used from … Call elsewhere.',
  ],
  ['Not from 2001:db8::1, ever.', false, 'Not from …, ever.'],
  ['ada@example.com is not among them.', false, '… is not among them.'],
  ['The role "plk_canary" cannot be chosen.', false, 'The role "…" cannot be chosen.'],
  [`There is no document "${'x'.repeat(80)}" here.`, false, 'There is no document "…" here.'],
  [
    'The origin "https://app.example.com" is not allowed.',
    false,
    'The origin "https://app.example.com" is not allowed.',
  ],
  [
    'The body is not valid JSON: Unexpected token, ..."pin":1234x"... is',
    false,
    'The body is not valid JSON.',
  ],
  ['a\u0000b\ud800', false, 'a?b?'],
])('of the message %s (of a secret call: %s) is kept %s', (message, isOfSecretCall, kept) => {
  expect(redactMessage(message, isOfSecretCall)).toBe(kept);
});

test('what is kept is bounded', () => {
  expect(redactPath(`/${'a/'.repeat(5000)}`, true).length).toBeLessThanOrEqual(1000);
  expect(redactQuery('a=1&'.repeat(5000), true).split('&').length).toBeLessThanOrEqual(50);
  expect(redactMessage('no \ud83d\ude00'.repeat(5000), false)).toHaveLength(300);
  expect(redactQuery(`a=${'b'.repeat(5000)}`, true).length).toBeLessThanOrEqual(202);
});
