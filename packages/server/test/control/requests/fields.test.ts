import { expect, test } from 'vitest';
import { setLogQueries, setTier } from '../../../src/features/control/projects/index.ts';
import { getRequest, listRequests } from '../../../src/features/control/requests/index.ts';
import { inOneWindow } from '../../support/calls/rate-window.ts';
import { Client } from '../../support/client.ts';
import { newCollection, newDocument } from '../../support/data/new-collection.ts';
import { newPerson } from '../../support/people/people.ts';
import { useTestApp } from '../../support/test-app.ts';
import { readerOf, readLog } from './read-log.ts';

const t = useTestApp();

/** Waits until the log has as many calls. */
async function logged(ref: string, count: number) {
  await expect.poll(async () => (await readLog(t, ref)).length).toBe(count);
  return readLog(t, ref);
}

test('a call is logged with its route, outcome, caller, bytes and time', async () => {
  const { ref, api } = await t.createProject();
  const startedAt = Date.now();
  const { path, name } = await newCollection(api);
  await newDocument(api, path, { title: 'Hello' });
  const read = await api.get(`${path}?title=Hello&limit=3`);
  const missing = await api.get(`${path}/00000000-0000-8000-8000-000000000000`);
  const lines = await logged(ref, 4);
  expect(lines.map(({ route, status, code }) => `${route} ${status} ${code}`)).toEqual([
    'GET /collections/:collection/:id 404 document_not_found',
    'GET /collections/:collection 200 null',
    'POST /collections/:collection 201 null',
    'POST /collections 201 null',
  ]);
  expect(lines[0]).toMatchObject({
    id: missing.headers.get('x-request-id'),
    givenId: null,
    credential: 'apiKey',
    userId: null,
    accountId: null,
    address: '127.0.0.0/24',
    path: `/collections/${name}/00000000-0000-8000-8000-000000000000`,
    query: null,
    bytesIn: 0,
    bytesOut: Buffer.byteLength(missing.text),
    weight: 1,
  });
  expect(lines[0]?.message).toBe(missing.body.error.message);
  expect(lines[1]).toMatchObject({
    message: null,
    query: 'title=…&limit=…',
    bytesOut: Buffer.byteLength(read.text),
  });
  expect(lines[2]?.bytesIn).toBe(Buffer.byteLength(JSON.stringify({ title: 'Hello' })));
  for (const { at, ms } of lines) {
    expect(at.getTime()).toBeGreaterThanOrEqual(startedAt);
    expect(at.getTime()).toBeLessThanOrEqual(Date.now());
    expect(ms).toBeGreaterThan(0);
  }
});

test('the caller is told apart: nobody, a user, the API key', async () => {
  const [{ ref }] = t.projects;
  const person = await newPerson(t);
  await person.me.get('/auth-collections/user');
  await new Client(`${t.url}/p/${ref}`).get('/collections/none');
  const wanted = async () =>
    (await readLog(t, ref)).map(({ route, credential, userId }) => [route, credential, userId]);
  await expect.poll(async () => (await wanted()).length).toBe(3);
  expect(await wanted()).toEqual([
    ['GET /collections/:collection', 'none', null],
    ['GET /auth-collections/user', 'user', person.id],
    ['POST /auth-collections/signup', 'none', null],
  ]);
  expect(await readLog(t, ref, { userId: person.id })).toHaveLength(1);
});

test('what was said of a failure is kept without the body that it was said of', async () => {
  const { ref, apiKey } = await t.createProject();
  const broken = await fetch(`${t.url}/collections`, {
    method: 'POST',
    headers: { 'x-api-key': apiKey, 'content-type': 'application/json' },
    body: '{"name": canary}',
  });
  expect(await broken.json()).toMatchObject({ error: { message: expect.stringContaining('canary') } });
  const [line] = await logged(ref, 1);
  expect(line).toMatchObject({ code: 'invalid_body', message: 'The body is not valid JSON.' });
});

test('what the gate refuses is logged where the address or the credential names the project', async () => {
  const ref = await inOneWindow(20_000, async () => {
    const { ref, api } = await t.createProject();
    const door = new Client(`${t.url}/p/${ref}`);
    await door.get('/collections');
    await door.get('/collections/x', { headers: { 'x-api-key': 'plk_wrong' } });
    await door.get('/collections/x', { headers: { authorization: 'Bearer eyJx.eyJy.z' } });
    await api.get('/collections', { headers: { origin: 'https://elsewhere.example' } });
    await setTier(t.control, ref, 'enterprise', 1);
    await api.get('/nowhere/at-all');
    await api.get('/collections');
    return ref;
  });
  const lines = await logged(ref, 6);
  expect(lines.map(({ route, code }) => `${route} ${code}`).toSorted()).toEqual(
    [
      'GET * rate_limited',
      'GET /collections credential_required',
      'GET /collections origin_not_allowed',
      'GET /collections rate_limited',
      'GET /collections/:collection invalid_credentials',
      'GET /collections/:collection invalid_credentials',
    ].toSorted(),
  );
});

test('a preflight is logged only if it is refused', async () => {
  const { ref } = await t.createProject();
  const door = new Client(`${t.url}/p/${ref}`);
  const preflight = (origin: string) =>
    door.call('OPTIONS', '/collections/x', undefined, {
      headers: { origin, 'access-control-request-method': 'GET' },
    });
  expect((await preflight(t.url)).status).toBe(200);
  expect((await preflight('https://elsewhere.example')).status).toBe(403);
  const lines = await logged(ref, 1);
  expect(lines[0]).toMatchObject({ status: 403, code: 'origin_not_allowed' });
});

test('a list is filtered and paged; one call is found by its id, or by the one its caller chose', async () => {
  const { ref, api } = await t.createProject();
  for (let n = 0; n < 5; n += 1) await api.get('/collections');
  for (let n = 0; n < 3; n += 1)
    await api.get(`/collections/missing${n}`, { headers: { 'x-request-id': `trace-000${n}` } });
  const all = await logged(ref, 8);
  const reader = await readerOf(t, ref);
  expect(await readLog(t, ref, { statusFrom: 400, statusTo: 499 })).toEqual(all.slice(0, 3));
  expect(await readLog(t, ref, { statusTo: 399 })).toEqual(all.slice(3));
  expect(await readLog(t, ref, { route: 'GET /collections' })).toEqual(all.slice(3));
  expect(await readLog(t, ref, { code: 'collection_not_found' })).toEqual(all.slice(0, 3));
  expect(await readLog(t, ref, { credential: 'user' })).toEqual([]);
  expect(await readLog(t, ref, { notCredential: 'apiKey' })).toEqual([]);
  expect(await readLog(t, ref, { notCredential: 'account' })).toEqual(all);
  const slowest = Math.max(...all.map(({ ms }) => ms));
  expect(await readLog(t, ref, { msFrom: slowest + 1 })).toEqual([]);
  expect(await readLog(t, ref, { msFrom: 0 })).toEqual(all);
  expect(await readLog(t, ref, { limit: 3 })).toEqual(all);
  const [, , third] = all;
  expect(await readLog(t, ref, { from: third!.at, to: new Date(third!.at.getTime() + 1) })).toContainEqual(
    third,
  );
  expect(await getRequest(reader, third!.id)).toEqual(third);
  expect(await getRequest(reader, 'trace-0001')).toEqual(all[1]);
  await expect(getRequest(reader, 'trace-9999')).rejects.toThrow(/no request with this id/);
  await expect(listRequests(reader, { cursor: 'x' })).rejects.toMatchObject({ code: 'invalid_query' });
});

test('values of the query string are kept if the project says so, secrets never', async () => {
  const { ref, api } = await t.createProject();
  await setLogQueries(t.control, ref, 'full');
  await api.get('/collections?title__contains=hello%20there&limit=2&token=canary&x=plk_canary&plk_canary');
  await setLogQueries(t.control, ref, 'names');
  await api.get('/collections?title__contains=hello');
  const [names, full] = await logged(ref, 2);
  expect(full?.query).toBe('title__contains=hello%20there&limit=2&token=…&x=…&…');
  expect(names?.query).toBe('title__contains=…');
});

test('how far back a project sees is for its tier to say', async () => {
  const { ref, api } = await t.createProject();
  await api.get('/collections');
  const [line] = await logged(ref, 1);
  const reader = await readerOf(t, ref);
  const without = {
    ...reader,
    project: { ...reader.project, limits: { ...reader.project.limits, requestLogDays: 0 } },
  };
  expect((await listRequests(without, {})).requests).toEqual([]);
  await expect(getRequest(without, line!.id)).rejects.toMatchObject({ code: 'request_not_found' });
});

test('one project never sees what another did', async () => {
  const [first, second] = [await t.createProject(), await t.createProject()];
  const same = await t.createProject();
  for (const { api } of [first, second, same]) await api.get('/collections');
  for (const { ref } of [first, second, same]) await logged(ref, 1);
  const ids = await Promise.all(
    [first, second, same].map(async ({ ref }) => (await readLog(t, ref)).map(({ id }) => id)),
  );
  expect(new Set(ids.flat()).size).toBe(3);
  for (const { ref } of [second, same])
    await expect(getRequest(await readerOf(t, ref), ids[0]![0]!)).rejects.toMatchObject({
      code: 'request_not_found',
    });
});
