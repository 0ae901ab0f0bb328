import { expect, test } from 'vitest';
import { fromPostgres } from './error-handler.ts';

const failing = (code: string, message = 'SELECT secret FROM somewhere') =>
  Object.assign(new Error(message), { code });

test.each([
  ['22P05', 'invalid_body'],
  ['22003', 'invalid_body'],
  ['23505', 'invalid_body'],
  ['54000', 'invalid_body'],
  ['57014', 'query_too_slow'],
  ['57P01', 'engine_unavailable'],
  ['08006', 'engine_unavailable'],
  ['53300', 'engine_unavailable'],
  ['ECONNREFUSED', 'engine_unavailable'],
])('SQLSTATE %s is answered as %s, without its text', (state, code) => {
  const error = fromPostgres(failing(state));
  expect(error?.code).toBe(code);
  expect(error?.message).not.toContain('SELECT');
});

test('a fault of ours stays one', () => {
  expect(fromPostgres(failing('42601'))).toBeUndefined();
});

test.each([
  'timeout expired',
  'timeout exceeded when trying to connect',
  'Connection terminated unexpectedly',
])('a connection that is not made or lost (%s) is answered as engine_unavailable', (message) => {
  expect(fromPostgres(new Error(message))?.code).toBe('engine_unavailable');
});
