// @postgres newest
import { randomBytes } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { runProjectCommand } from '../../../src/commands/project.ts';
import { ProjectSecrets } from '../../../src/features/control/projects/index.ts';
import { openVault } from '../../../src/platform/crypto/vault.ts';
import { sql } from '../../../src/platform/db/sql.ts';
import type { InvalidationListener } from '../../../src/platform/invalidation/invalidation-listener.ts';
import { dump, secretsIn } from '../../support/dump.ts';
import { useTestApp } from '../../support/test-app.ts';

const t = useTestApp();

const run = (args: string[], input = '') => runProjectCommand(t.config, args, async () => input);
const ref = () => t.projects[0].ref;
const canary = `canary-${randomBytes(12).toString('hex')}`;

describe('F4: a variable whose key is a built-in one, however it is written', () => {
  test.each([
    'JWT_EXPIRY_MINUTES',
    'jwt_expiry_minutes',
    'Jwt Expiry  Minutes',
    ' enable 2fa ',
    'Enable\t2fa',
    'oTp_LeNgTh',
    'allowed self roles',
    'login url',
  ])('%j is refused, without the value', async (key) => {
    const refused = run(['env', 'set', ref(), key], canary);
    await expect(refused).rejects.toThrow('is a built-in configuration key');
    await expect(refused).rejects.not.toThrow(canary);
  });
});

test('F4: keys are in capitals with _ for blanks; odd ones are refused', async () => {
  expect(await run(['env', 'set', ref(), 'stripe key'], 'x')).toBe('STRIPE_KEY is set and stored encrypted.');
  for (const key of ['', '1ST', 'a-b', '__proto__ x;', 'ümlaut', 'A'.repeat(65), 'A=B']) {
    await expect(run(['env', 'set', ref(), key], canary)).rejects.not.toThrow(canary);
  }
  expect(await run(['env', 'list', ref()])).toBe('STRIPE_KEY=••••••••');
  expect(await run(['env', 'unset', ref(), 'Stripe Key'])).toBe('STRIPE_KEY was removed.');
  expect(await run(['env', 'list', ref()])).toBe('No variable is set.');
  await expect(run(['env', 'unset', ref(), 'stripe key'])).rejects.toThrow('no such variable');
});

test('F4: a value is masked in every list, in no answer, and in the database only encrypted', async () => {
  const said = [
    await run(['env', 'set', ref(), 'API_TOKEN'], `${canary}\n`),
    await run(['env', 'list', ref()]),
    await run(['show', ref()]),
    await run(['show', ref(), '--json']),
    await run(['list', '--json']),
    await run(['config', 'list', ref()]),
    (await t.api.get('/openapi.json')).text,
    (await t.api.get('/auth-collections/templates')).text,
  ].join('\n');
  expect(said).toContain('API_TOKEN=••••••••');
  expect(said).not.toContain(canary);
  expect(secretsIn(await dump(t.cells.numbers.map((cell) => t.cells.pool(cell))), { canary })).toEqual([]);
  const [project] = await t.control.query<{ id: string }>(
    sql`SELECT id FROM control.projects WHERE ref = ${ref()}`,
  );
  const silent = { onTopic() {}, onGap() {}, isCurrent: false } as unknown as InvalidationListener;
  const secrets = new ProjectSecrets(t.control, openVault(t.config), silent);
  expect(await secrets.find(project!, 'env:API_TOKEN')).toBe(canary);
});

test.each([
  { args: ['env'], said: 'A ref is missing' },
  { args: ['env', 'set', 'REF'], said: 'A key is missing' },
  { args: ['env', 'set', 'REF', 'KEY', 'value'], said: 'on standard input' },
  { args: ['env', 'set', 'REF', 'KEY'], said: '1 to 10000 characters' },
  { args: ['env', 'show', 'REF'], said: 'set, unset or list' },
  { args: ['env', 'list', 'nosuchproj00'], said: 'There is no project' },
])('$args is refused, and says why', async ({ args, said }) => {
  await expect(run(args.map((arg) => (arg === 'REF' ? ref() : arg)))).rejects.toThrow(said);
});
