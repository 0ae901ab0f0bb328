import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { text } from 'node:stream/consumers';
import { expect } from 'vitest';
import { expectPart, fill, type Kept } from './http-example.ts';
import { type Block, repository } from './markdown.ts';
import { compileCache, patience } from './nodes/plinth-process.ts';

export type Environment = Readonly<Record<string, string>>;

/** What a reader's shell has: the `plinth` command, run from source, and the settings of a node. */
export function shellWith(settings: Environment): NodeJS.ProcessEnv {
  return {
    ...process.env,
    PATH: `${repository}node_modules/.bin:${process.env.PATH}`,
    NODE_COMPILE_CACHE: compileCache,
    NODE_OPTIONS: '--conditions=@plinth/source',
    ...patience,
    ...settings,
  };
}

/** Where a block is run: in which folder, and after which answers. */
interface Place {
  readonly folder?: string;
  readonly kept?: Kept;
}

/**
 * Runs an `sh` block word for word, `<name>` standing for a value that an earlier answer gave. What a `#>` line shows must
 * be printed: JSON is a part of an answer, other text a whole line, with variables filled in. `plinth start` at the end is
 * a server: it must come up ready, and end well when told to.
 */
export async function runShell(
  block: Block,
  env: NodeJS.ProcessEnv,
  { folder, kept = new Map() }: Place = {},
): Promise<void> {
  const lines = fill(block.text, kept).trim().split('\n');
  const isServer = lines.at(-1) === 'plinth start';
  const script = (isServer ? lines.slice(0, -1) : lines).join('\n');
  const printed = await runScript(script, env, folder);
  expectAnswers(printed, script, kept);
  for (const line of shownBy(script).filter((line) => !line.startsWith('{'))) {
    const expected = line.replaceAll(/\$([A-Z_]+)/g, (_, name: string) => env[name] ?? '');
    expect(printed.split(/\r?\n/)).toContain(expected);
  }
  if (isServer) await runNode(env);
}

const shownBy = (script: string) => Array.from(script.matchAll(/^#> (.*)$/gm), ([, text]) => text!);

/** Each answer that was printed holds what its `#>` line shows, in order. Says how many there are. */
export function expectAnswers(printed: string, script: string, kept?: Kept): number {
  const shown = shownBy(script).filter((line) => line.startsWith('{'));
  if (shown.length === 0) return 0;
  const answers = printed.split(/\r?\n|(?<=\})(?=\{"success":)/).filter((text) => text.startsWith('{'));
  expect(answers, printed).toHaveLength(shown.length);
  for (const [at, part] of shown.entries()) expectPart(JSON.parse(answers[at]!), JSON.parse(part), kept);
  return shown.length;
}

export async function runScript(script: string, env: NodeJS.ProcessEnv, folder?: string): Promise<string> {
  const shell = spawn('bash', ['-euo', 'pipefail', '-c', script], {
    ...(folder !== undefined && { cwd: folder }),
    env,
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const [printed, complaint, [code]] = await Promise.all([
    text(shell.stdout),
    text(shell.stderr),
    once(shell, 'exit'),
  ]);
  expect(code, `${printed}${complaint}`).toBe(0);
  return printed;
}

async function runNode(env: NodeJS.ProcessEnv): Promise<void> {
  const node = spawn('plinth', ['start'], { env, stdio: ['ignore', 'ignore', 'pipe'] });
  const ended = once(node, 'exit');
  try {
    const address = await Promise.race([listeningAddress(node.stderr), ended]);
    expect(address, 'it ended before it listened').toBeTypeOf('string');
    await expect.poll(async () => (await fetch(`${String(address)}/readyz`)).status).toBe(200);
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
