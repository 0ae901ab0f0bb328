// @postgres newest
import { expect, test } from 'vitest';
import { runProjectCommand } from '../../src/commands/project.ts';
import { Client } from '../support/client.ts';
import { useTestApp } from '../support/test-app.ts';

const t = useTestApp();
const run = (...args: string[]) => runProjectCommand(t.config, args);
const refusal = (...args: string[]) => run(...args).catch((error: Error) => error.message);

test('keys are made, listed, changed and removed', async () => {
  const { ref } = t.projects[0];
  expect(await run('keys', ref)).toContain('plinth project add-key <ref> <name> --scope <scope>');
  const made = await run(
    'add-key',
    ref,
    'Reports',
    '--scope',
    'usage:read',
    '--scope',
    'users:read',
    '--json',
  );
  const { id, apiKey } = JSON.parse(made) as { id: string; apiKey: string };
  expect((await new Client(t.url, { 'x-api-key': apiKey }).get('/usage')).status).toBe(200);
  const listed = await run('keys', ref);
  expect(listed).toContain('scopes          usage:read users:read');
  expect(listed).toContain(`plk_…${apiKey.slice(-4)}`);
  for (const text of [listed, await run('keys', ref, '--json')]) expect(text).not.toContain(apiKey);
  const changed = await run('change-key', ref, id, '--name', 'Other', '--expires', '2d', '--address', '::1');
  expect(changed).toContain('scopes          usage:read users:read');
  expect(changed).toContain('addresses       ::1/128');
  const lifted = await run('change-key', ref, id, '--expires', 'never', '--address', 'all');
  expect(lifted).toMatch(/name {12}Other[^]*expires {9}never\naddresses {7}all/);
  await run('remove-key', ref, id);
  await t.app.caughtUp();
  const refused = await new Client(t.url, { 'x-api-key': apiKey }).get('/usage');
  expect(refused).toFailWith(401, 'invalid_credentials');
});

test('mistakes are told in words of the shell', async () => {
  const { ref } = t.projects[0];
  expect(await refusal('add-key', ref)).toBe('A name is missing.');
  expect(await refusal('add-key', ref, 'x')).toContain('at least one scope');
  expect(await refusal('add-key', ref, 'x', '--scope', 'user:read')).toContain('Did you mean "users:read"?');
  for (const odd of ['tomorrow', '90', '9999d', '2030-13-01', '0d', '2001-01-01'])
    expect(await refusal('add-key', ref, 'x', '--scope', '*', '--expires', odd)).toMatch(/--expires|future/);
  expect(await refusal('remove-key', ref, 'x')).toContain('plinth project keys <ref>');
  expect(await refusal('set-browser-keys', ref, 'maybe')).toContain('answer or refuse');
});
