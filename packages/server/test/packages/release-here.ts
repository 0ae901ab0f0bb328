import { execFile } from 'node:child_process';
import { mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { copyTree } from '../../../../tools/release/copy-tree.ts';
import { repository } from '../support/markdown.ts';

const version = '99.0.0';

interface Place {
  readonly cwd: string;
  readonly env?: NodeJS.ProcessEnv;
}

/** Runs a command to its end, and says so: a long script shows where it is. Gives what it printed. */
export async function run(
  command: string,
  args: readonly string[],
  { cwd, env = process.env }: Place,
): Promise<string> {
  console.log(`> ${command} ${args.join(' ')}`);
  const { stdout } = await promisify(execFile)(command, args, { cwd, env, maxBuffer: 64 * 1_048_576 });
  return stdout;
}

export function requireThat(isSo: boolean, what: string): void {
  if (!isSo) throw new Error(`Not so: ${what}.`);
  console.log(`ok: ${what}`);
}

/** A commit of what is here, with what is not committed yet: releases are made of commits. */
export async function commitCopy(folder: string): Promise<string> {
  const source = join(folder, 'source');
  mkdirSync(source);
  copyTree(repository, source);
  const git = (...args: string[]) => run('git', args, { cwd: source });
  await git('init', '--quiet');
  await git('add', '--all');
  await git('-c', 'user.name=Test', '-c', 'user.email=test@example.com', 'commit', '-qm', 'All');
  return source;
}

/** Releases a copy into a folder. Gives the checksums. */
export async function release(source: string, out: string): Promise<string> {
  await run('node', ['tools/release/release.ts', version, '--no-image', '--out', out], { cwd: source });
  await run('git', ['checkout', '--quiet', '.'], { cwd: source });
  return readFileSync(join(out, 'SHA256SUMS'), 'utf8');
}
