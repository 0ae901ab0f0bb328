// @postgres newest
import { afterAll, beforeAll, expect, test } from 'vitest';
import { sql } from '../../../src/platform/db/sql.ts';
import { newAccount, openStage, redirectUri, type Stage } from '../../support/people/identity-stage.ts';
import { expire } from '../../support/rows.ts';

let stage: Stage;
beforeAll(async () => {
  stage = await openStage();
});
afterAll(() => stage[Symbol.asyncDispose]());

test('states and codes are forgotten once they are past their time, and not before', async () => {
  const { t } = stage;
  const pool = t.cells.pool(t.projects[0].cell);
  const count = async () => {
    const { rows } = await pool.query<{ states: number; codes: number }>(
      'SELECT (SELECT count(*)::int FROM cell.oauth_states) AS states, (SELECT count(*)::int FROM cell.used_oauth_codes) AS codes',
    );
    return [rows[0]!.states, rows[0]!.codes];
  };
  await stage.logIn(newAccount());
  const { code, state } = await stage.visit(newAccount());
  await expire(pool, 'cell.oauth_states', 'cell.used_oauth_codes');
  expect(await count()).toEqual([1, 1]);
  for (const { text } of [
    sql`UPDATE cell.oauth_states SET expires_at = now() - interval '1 second'`,
    sql`UPDATE cell.used_oauth_codes SET expires_at = now() - interval '1 second'`,
  ])
    await pool.query(text);
  // Past its time a state is refused, swept or not.
  expect(await stage.verify({ code, redirect_uri: redirectUri, state })).toFailWith(400, 'oauth_failed');
  await expire(pool, 'cell.oauth_states', 'cell.used_oauth_codes');
  expect(await count()).toEqual([0, 0]);
});
