// @postgres newest
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';

const plinth = fileURLToPath(new URL('../../bin/plinth.js', import.meta.url));
/** Every program that the process runs says which process it is, and with which options it runs. */
const saying = `--import=data:text/javascript,process.stderr.write('saw:'+process.pid+':'+process.execArgv+'\\n')`;

/** What the programs of a process said, one after the other. The node has no settings, so it ends at once. */
async function programsOf(command: string, options: { nodeOptions?: string; hasChannel?: boolean } = {}) {
  const child = spawn(process.execPath, ['--conditions=@plinth/source', plinth, command], {
    env: { PATH: process.env.PATH, NODE_OPTIONS: `${saying} ${options.nodeOptions ?? ''}` },
    stdio: ['ignore', 'ignore', 'pipe', ...(options.hasChannel ? (['ipc'] as const) : [])],
  });
  const [said] = await Promise.all([text(child.stderr!), once(child, 'exit')]);
  const lines = Array.from(said.matchAll(/^saw:(\d+):(.*)$/gm), ([, pid, flags]) => ({ pid, flags }));
  return { isOneProcess: lines.every(({ pid }) => pid === String(child.pid)), lines };
}

test('a node runs with a larger young generation, as the process that was started', async () => {
  const { isOneProcess, lines } = await programsOf('start');
  expect(isOneProcess).toBe(true);
  expect(lines.map(({ flags }) => flags)).toEqual([
    '--conditions=@plinth/source',
    '--max-semi-space-size=64,--conditions=@plinth/source',
  ]);
});

test.each([
  ['whoever has chosen a size keeps it', 'start', { nodeOptions: '--max_semi_space_size=8' }],
  ['a process that its parent talks to keeps its channel', 'start', { hasChannel: true }],
  ['other commands have no use for it', '--version', {}],
])('%s', async (_title, command, options) => {
  expect((await programsOf(command, options)).lines).toHaveLength(1);
});
