// @postgres newest
// @needs redis helm
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { Redis } from 'ioredis';
import { expect, test } from 'vitest';
import { parseConfig } from '../../src/platform/config/config.ts';
import { readYaml } from '../support/helm.ts';
import { readPage } from '../support/markdown.ts';
import { startRedis } from '../support/redis.ts';
import { useTestApp } from '../support/test-app.ts';

const t = useTestApp();

interface Service {
  readonly image: string;
  readonly command: string[];
  readonly environment: Readonly<Record<string, string>>;
  readonly depends_on?: Readonly<Record<string, { condition: string }>>;
  readonly healthcheck?: { readonly test: string[] };
  readonly ports?: string[];
  readonly stop_grace_period?: string;
  readonly read_only?: boolean;
  readonly cap_drop?: string[];
  readonly security_opt?: string[];
  readonly volumes?: string[];
}

const [compose] = readYaml<{ services: Record<string, Service>; volumes: Record<string, null> }>(
  readPage('deploy/compose.yaml'),
);
const { setup, plinth, postgres, redis } = compose!.services as Record<
  'setup' | 'plinth' | 'postgres' | 'redis',
  Service
>;

test('a node starts once the databases are prepared and Redis answers', () => {
  expect(setup.depends_on).toEqual({ postgres: { condition: 'service_healthy' } });
  expect(plinth.depends_on).toEqual({
    setup: { condition: 'service_completed_successfully' },
    redis: { condition: 'service_healthy' },
  });
  for (const { depends_on: others = {} } of Object.values(compose!.services))
    for (const [name, { condition }] of Object.entries(others))
      if (condition === 'service_healthy') expect(compose!.services[name]?.healthcheck).toBeDefined();
  expect(Number.parseInt(plinth.stop_grace_period ?? '', 10)).toBeGreaterThan(32);
});

test('nothing is reached from outside but the service, on this machine', () => {
  expect(plinth.ports).toEqual([`\${PLINTH_LISTEN:-127.0.0.1:4400}:4400`]);
  for (const service of [setup, postgres, redis]) expect(service.ports).toBeUndefined();
  for (const { read_only, cap_drop, security_opt } of [setup, plinth, redis]) {
    expect([read_only, cap_drop, security_opt]).toEqual([true, ['ALL'], ['no-new-privileges:true']]);
  }
  const named = Object.values(compose!.services).flatMap(({ volumes = [] }) => volumes);
  for (const volume of named) expect(Object.keys(compose!.volumes)).toContain(volume.split(':')[0]);
});

test('PostgreSQL is as the service needs it', () => {
  expect(postgres.command).toContain('wal_level=logical');
  expect(postgres.environment.POSTGRES_INITDB_ARGS).toBe('--encoding=UTF8 --locale=C');
});

test('the settings with the examples filled in are those of a node', () => {
  const example = readPage('deploy/plinth.env.example');
  const lines = example.split('\n').filter((line) => /^[A-Z]/.test(line));
  const given = Object.fromEntries(lines.map((line) => line.split(/=(.*)/s).slice(0, 2)));
  expect(given.SECRET_KEY).toBe('');
  const asked = readPage('deploy/compose.yaml').matchAll(/\$\{([A-Z_]+):\?/g);
  const offered = readPage('deploy/env.example');
  for (const [, name] of asked) expect(offered).toMatch(new RegExp(`^${name}=$`, 'm'));
  const filled = (text: string) => text.replaceAll(/\$\{POSTGRES_PASSWORD[^}]*\}/g, 'secret');
  const own = Object.entries(plinth.environment).map(([name, value]) => [name, filled(value)]);
  const config = parseConfig({ ...given, SECRET_KEY: 'x'.repeat(32), ...Object.fromEntries(own) });
  expect(config).toMatchObject({
    DATABASE_URL: 'postgres://plinth:secret@postgres:5432/plinth',
    FILES_FOLDER: '/var/lib/plinth',
    PORT: 4400,
  });
});

test('the health check of a node tells ready from not', async () => {
  const [, program, ...args] = plinth.healthcheck!.test;
  expect(program).toBe('node');
  const at = async (url: string) => {
    const own = args.map((text) => text.replace('http://127.0.0.1:4400', url));
    const [code] = (await once(spawn(process.execPath, own, { stdio: 'ignore' }), 'exit')) as [number];
    return code;
  };
  await expect.poll(() => at(t.url)).toBe(0);
  expect(await at(`${t.url}/nowhere`)).toBe(1);
  expect(await at('http://127.0.0.1:1')).toBe(1);
});

test('Redis takes its command, and evicts nothing', async () => {
  const [program, ...args] = redis.command;
  expect(program).toBe('redis-server');
  const server = await startRedis({ args });
  try {
    const client = new Redis(server.url);
    expect(await client.config('GET', 'maxmemory-policy')).toEqual(['maxmemory-policy', 'noeviction']);
    client.disconnect();
  } finally {
    await server.stop();
  }
});
