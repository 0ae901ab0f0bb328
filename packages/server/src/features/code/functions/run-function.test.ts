import { expect, test } from 'vitest';
import type { Project } from '../../../calls/index.ts';
import { openVault } from '../../../platform/crypto/vault.ts';
import { SandboxError } from '../sandbox/index.ts';
import { FunctionRuns, type RunDeps } from './run-function.ts';

test('how a function has failed is told and noted although its source maps cannot be read', async () => {
  const noted: unknown[] = [];
  const runs = new FunctionRuns({
    vault: openVault({ SECRET_KEY: Buffer.alloc(32).toString('base64'), OLD_SECRET_KEYS: '' }),
    settingsOf: async () => ({ env: {} }),
    directory: { codeOf: async () => ({}) },
    runner: {
      invoke: async () => {
        throw new SandboxError('failed', 'No stock.', {
          name: 'Error',
          message: 'No stock.',
          stack: 'at pay',
        });
      },
    },
    cells: { forProject: () => ({ query: () => Promise.reject(new Error('busy')) }) },
    runs: { note: (_project: unknown, run: unknown) => noted.push(run) },
  } as unknown as RunDeps);
  const project = { id: '7', ref: 'abcdefghijkl', cell: 1 } as Project;
  const active = { version: 1, digest: 'x', functions: new Map() };
  const one = { name: 'pay', file: 'pay.js', kind: 'http', options: {}, loadMs: 0 } as const;
  const input = {
    kind: 'call',
    method: 'POST',
    url: '/',
    headers: {},
    body: null,
    depth: 0,
    cause: null,
  } as const;
  await expect(runs.run(project, active, one, input)).rejects.toMatchObject({
    name: 'RunFailure',
    outcome: 'failed',
    thrown: { message: 'No stock.', stack: 'at pay' },
  });
  expect(noted).toMatchObject([{ outcome: 'failed', error: { message: 'No stock.' } }]);
});
