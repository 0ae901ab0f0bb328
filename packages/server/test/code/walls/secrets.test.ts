// @postgres newest
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { setEnv } from '../../../src/features/control/projects/index.ts';
import { openVault } from '../../../src/platform/crypto/vault.ts';
import { Client } from '../../support/client.ts';
import { deploy } from '../../support/code/deploy.ts';
import { useTestApp } from '../../support/test-app.ts';
import { atPools, startPool } from '../start-pool.ts';

const t = useTestApp({ FUNCTIONS_SANDBOX: 'process', FUNCTIONS_BLANK_PROCESSES: '1' });

/** Asks the supervisor for anything, on the wire. */
const raw = `
const ask = async (path, { host = 'service.invalid', id, method = 'GET', more = '' }) => {
  const connection = await Deno.connect({ transport: 'unix', path: Deno.args[1] });
  const head = method + ' ' + path + ' HTTP/1.1\\r\\nhost: ' + host + '\\r\\nconnection: close\\r\\nx-plinth-call: ' + id + '\\r\\n' + more + '\\r\\n';
  await connection.write(new TextEncoder().encode(head));
  return new Response(connection.readable).text();
};`;

/** All that a cell keeps of requests and of runs, as text. */
async function keptIn(cell: number): Promise<string> {
  const { rows } = await t.cells.pool(cell).query<{ text: string }>(
    `SELECT requests::text AS text FROM cell.requests
     UNION ALL SELECT function_runs::text FROM cell.function_runs
     UNION ALL SELECT deployments::text FROM cell.deployments`,
  );
  return rows.map(({ text }) => text).join('\n');
}

describe.each(['process', 'remote'])('%s', (wall) => {
  let pool: Awaited<ReturnType<typeof startPool>> | undefined;
  let url: string;
  beforeAll(async () => {
    if (wall === 'remote') pool = await startPool();
    url = pool ? (await t.node(atPools([pool.url]))).url : t.url;
  });
  afterAll(() => pool?.process[Symbol.asyncDispose]());

  /** A project, called where its functions run behind this wall. */
  async function createProject() {
    const made = await t.createProject();
    return { ...made, api: new Client(url, { 'x-api-key': made.apiKey }) };
  }

  test('F4: a variable is in no list, no error, no run and no log of requests', async () => {
    const { api, ref, cell } = await createProject();
    const canary = 'canary-variable-4711';
    await setEnv(t.control, openVault(t.config), { ref, key: 'SECRET', value: canary });
    await deploy(api, {
      'use.js': `export const access = 'public'; export default () => config.get('SECRET').length`,
      'fail.js': `export const access = 'public'; export default () => { const key = config.get('SECRET'); return key.none.none; }`,
      'exit.js': `export const access = 'public'; export default () => { config.get('SECRET'); Deno.exit(1); }`,
      'late.js': `export const timeoutSeconds = 1; export default () => { config.get('SECRET'); for (;;) {} }`,
    });
    expect((await api.get('/functions/use')).body.data).toBe(canary.length);
    const told = [];
    for (const path of [
      '/functions/fail',
      '/functions/exit',
      '/functions/late',
      '/functions/none',
      '/deployments',
    ])
      for (const caller of [api, new Client(`${url}/p/${ref}`)]) told.push((await caller.get(path)).text);
    await expect.poll(async () => (await api.get('/function-runs')).body.data.length).toBeGreaterThan(5);
    for (const { id } of (await api.get('/function-runs')).body.data)
      told.push((await api.get(`/function-runs/${id}`)).text);
    expect(told.join('\n')).not.toContain(canary);
    expect(await keptIn(cell)).not.toContain(canary);
  });

  test('F4: a module that is only being deployed reads no variable, and asks nothing', async () => {
    const { api, ref } = await createProject();
    await setEnv(t.control, openVault(t.config), { ref, key: 'SECRET', value: 'canary' });
    const deployed = await deploy(api, {
      'top.js': `const seen = [config.get('SECRET'), await fetch('http://example.com').then(() => 'fetched', (error) => error.message)];
      throw new Error(JSON.stringify(seen));`,
    });
    expect(deployed.text).not.toContain('canary');
    expect(deployed.text).toContain('not sent within a call');
  });

  test('the call token is never inside, and opens nothing but its project while the call lasts', async () => {
    const [mine, theirs] = [await createProject(), await createProject()];
    await theirs.api.post('/collections', { name: 'notes' });
    await deploy(mine.api, {
      'look.js': `${raw}
      export default async (request, ctx) => {
        const { ref } = await request.json();
        const id = ctx.callId;
        globalThis.kept = id;
        const seen = [Deno.inspect(ctx, { depth: 9 }), Deno.inspect(globalThis, { depth: 4 }), [...request.headers], Deno.args].join();
        const more = 'authorization: Bearer x\\r\\nx-api-key: y\\r\\n';
        return {
          seen,
          own: await ask('/collections', { id, more }),
          others: [
            await ask('/p/' + ref + '/collections', { id }),
            await ask('/collections', { id, more: 'x-plinth-ref: ' + ref + '\\r\\n' }),
            await ask('//' + ref + '/collections', { id }),
          ].join(),
          management: [await ask('/management/projects', { id }), await ask('/management/projects/' + ref + '/env', { id })].join(),
          unknown: await ask('/collections', { id: 'unknown' }),
          elsewhere: await ask('/collections', { id, host: 'localhost' }),
        };
      }`,
      'later.js': `${raw} export default () => ask('/collections', { id: globalThis.kept })`,
    });
    const { data } = (await mine.api.post('/functions/look', { ref: theirs.ref })).body;
    expect(data.own).toMatch(/^HTTP\/1.1 200/);
    expect(data.others).not.toContain('notes');
    expect(data.management).not.toMatch(/HTTP\/1.1 2/);
    expect(data.unknown).toMatch(/^HTTP\/1.1 403/);
    expect(data.elsewhere).toMatch(/^HTTP\/1.1 404/);
    expect(JSON.stringify(data)).not.toContain('pfn_');
    expect((await mine.api.get('/functions/later')).body.data).toMatch(/^HTTP\/1.1 403/);
  });

  test('a call token that was made up opens nothing', async () => {
    const { ref } = await createProject();
    const claims = Buffer.from(JSON.stringify([ref, 'x', 0, Date.now() + 60_000])).toString('base64url');
    for (const token of [
      `pfn_${claims}.`,
      `pfn_${claims}.AAAA`,
      `pfn_${claims}`,
      'pfn_',
      'pfn_.',
      'pfn_bnVsbA.x',
    ])
      expect(
        (await new Client(`${url}/p/${ref}`, { authorization: `Bearer ${token}` }).get('/collections'))
          .status,
        token,
      ).toBe(401);
  });

  test('what callers send as ours is not, and what code answers as the service is left out', async () => {
    const { api, ref, apiKey } = await createProject();
    await deploy(api, {
      'who.js': `export const access = 'public';
      export default (request, ctx) => ({ user: ctx.user, id: ctx.callId, names: [...request.headers.keys()], url: request.url })`,
      'other.js': `export const access = 'server'; export default () => 'other'`,
      'says.js': `export default () => new Response('{"success":false}', { status: 200, headers: {
      'set-cookie': 'a=b', 'access-control-allow-origin': '*', 'access-control-allow-credentials': 'true', 'x-plinth-value': '1',
      'x-plinth-failed': '1', 'x-function-run': 'forged', 'x-request-id': 'forged', 'strict-transport-security': 'max-age=1', 'clear-site-data': '"*"',
      'content-security-policy': "default-src *", 'service-worker-allowed': '/', 'x-content-type-options': 'none' } })`,
    });
    const { data } = (
      await new Client(`${url}/p/${ref}`).get('/functions/who', {
        headers: {
          'x-plinth-user': encodeURIComponent('{"id":"admin"}'),
          'X-Plinth-File': 'other.js',
          'x-plinth-call': 'mine',
          'x-plinth-url': 'http://evil.test/',
          'x-plinth-as': 'admin',
          cookie: 'session=1',
        },
      })
    ).body;
    expect(data).toMatchObject({ user: null, id: expect.not.stringContaining('mine') });
    expect(data.url).not.toContain('evil');
    expect(data.names.filter((name: string) => /^x-plinth|cookie|authorization|api-key/.test(name))).toEqual(
      [],
    );

    const said = await fetch(`${url}/functions/says`, { headers: { 'x-api-key': apiKey } });
    expect([said.status, await said.text()]).toEqual([200, '{"success":false}']);
    const headers = Object.fromEntries(said.headers);
    for (const name of [
      'set-cookie',
      'access-control-allow-credentials',
      'clear-site-data',
      'service-worker-allowed',
    ])
      expect(headers, name).not.toHaveProperty(name);
    expect(headers['access-control-allow-origin']).not.toBe('*');
    expect(Object.values(headers)).not.toContain('forged');
    expect(headers['x-content-type-options']).toBe('nosniff');
    expect(headers['content-security-policy']).toMatch(/, sandbox (?!.*allow-same-origin)/);
    expect(Object.keys(headers).filter((name) => name.startsWith('x-plinth-'))).toEqual([]);
  });

  test.each(['constructor', '__proto__', 'toString', '..', '%2e%2e%2fx', 'a%00b', 'main.js'])(
    'F3: there is no function called %s',
    async (name) => {
      const { api } = await createProject();
      await deploy(api, { 'main.js': 'export default () => 1' });
      expect((await api.get(`/functions/${name}`)).status).toBeGreaterThan(399);
    },
  );

  test.each([
    '../x.js',
    '/etc/x.js',
    'a/../../x.js',
    '__proto__',
    'constructor.js/../../x.js',
    'a\u0000.js',
    '.js',
    '-A.js',
    'a b.js',
  ])('F3: no file called %j can be deployed out of its folder', async (file) => {
    const { api } = await createProject();
    const { status } = await api.post('/deployments', {
      files: { [file]: 'export default () => 1' },
      entries: [file],
    });
    expect(status).toBe(400);
  });
});
