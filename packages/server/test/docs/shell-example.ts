import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { text } from 'node:stream/consumers';
import { expect } from 'vitest';
import { type Block, repository } from './markdown.ts';

export type Environment = Readonly<Record<string, string>>;

/** What a reader's shell has: the `plinth` command, run from source, and the settings of a node. */
export function shellWith(settings: Environment): NodeJS.ProcessEnv {
  return {
    ...process.env,
    PATH: `${repository}node_modules/.bin:${process.env.PATH}`,
    NODE_OPTIONS: '--conditions=@plinth/source',
    ...settings,
  };
}

/**
 * Runs an `sh` block word for word. Lines marked `#>`, with variables filled in, must be among what it prints. `plinth start` at the end is a
 * server: it must come up ready, and end well when told to.
 */
export async function runShell(block: Block, env: NodeJS.ProcessEnv): Promise<void> {
  const lines = block.text.trim().split('\n');
  const isServer = lines.at(-1) === 'plinth start';
  const script = (isServer ? lines.slice(0, -1) : lines).join('\n');
  const printed = await runScript(script, env);
  for (const line of lines.filter((line) => line.startsWith('#> '))) {
    const expected = line
      .slice('#> '.length)
      .replaceAll(/\$([A-Z_]+)/g, (_, name: string) => env[name] ?? '');
    expect(printed.split('\n')).toContain(expected);
  }
  if (isServer) await runNode(env);
}

export async function runScript(script: string, env: NodeJS.ProcessEnv): Promise<string> {
  const shell = spawn('bash', ['-euo', 'pipefail', '-c', script], {
    env,
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const [printed, complaint, [code]] = await Promise.all([
    text(shell.stdout),
    text(shell.stderr),
    once(shell, 'exit'),
  ]);
  expect(code, complaint).toBe(0);
  return printed;
}

async function runNode(env: NodeJS.ProcessEnv): Promise<void> {
  const node = spawn('plinth', ['start'], { env, stdio: ['ignore', 'ignore', 'pipe'] });
  const ended = once(node, 'exit');
  try {
    const address = await Promise.race([listeningAddress(node.stderr), ended]);
    expect(address, 'it ended before it listened').toBeTypeOf('string');
    expect((await fetch(`${String(address)}/readyz`)).status).toBe(200);
  } finally {
    node.kill('SIGTERM');
  }
  expect(await ended).toEqual([0, null]);
}

async function listeningAddress(log: NodeJS.ReadableStream): Promise<string> {
  let said = '';
  return new Promise((found) => {
    log.on('data', (piece: Buffer) => {
      said += String(piece);
      const address = /listening at (http:[^"\s]+)/.exec(said)?.[1];
      if (address !== undefined) found(address);
    });
  });
}
