// @postgres newest
import { beforeAll, expect, test } from 'vitest';
import { deleteProject } from '../../src/features/control/projects/index.ts';
import { newApiKey, newProjectRef } from '../../src/platform/crypto/secrets.ts';
import { isRefused, untilAnswer } from '../support/calls/until-answer.ts';
import { wireCall } from '../support/calls/wire.ts';
import { Client } from '../support/client.ts';
import { useTestApp } from '../support/test-app.ts';

const t = useTestApp({ API_DOMAIN: 'api.example.com' });
beforeAll(async () => {
  for (const [at, { api }] of t.projects.entries()) await api.post('/collections', { name: `of_${at}` });
});

const names = (reply: { body: { data: { name: string }[] } }) => reply.body.data.map(({ name }) => name);
const keyOf = (project: 0 | 1) => ({ 'x-api-key': t.projects[project].apiKey });
const onHost = (host: string, headers: Record<string, string> = {}) =>
  wireCall(t.url, { path: '/collections', headers: { host, ...headers } });

test('on the bare address the key says which project', async () => {
  for (const project of [0, 1] as const) {
    expect(names(await t.anonymous.get('/collections', { headers: keyOf(project) }))).toEqual([
      `of_${project}`,
    ]);
    const bearer = { authorization: `Bearer ${t.projects[project].apiKey}` };
    expect(names(await t.anonymous.get('/collections', { headers: bearer }))).toEqual([`of_${project}`]);
  }
});

test('a project has the address /p/{ref}', async () => {
  for (const project of [0, 1] as const) {
    const client = new Client(`${t.url}/p/${t.projects[project].ref}`, keyOf(project));
    for (const path of ['/collections', '/collections/', '/collections?limit=5']) {
      expect(names(await client.get(path))).toEqual([`of_${project}`]);
    }
  }
});

test('a project has the address {ref}.{API_DOMAIN}, in any case', async () => {
  for (const project of [0, 1] as const) {
    const host = `${t.projects[project].ref}.api.example.com`;
    expect(names(await onHost(host, keyOf(project)))).toEqual([`of_${project}`]);
    expect(names(await onHost(host.toUpperCase(), keyOf(project)))).toEqual([`of_${project}`]);
  }
});

test('without an API domain a host name says nothing', async () => {
  const { url } = await t.node({ API_DOMAIN: '' });
  const headers = { host: `${t.projects[1].ref}.api.example.com`, ...keyOf(0) };
  expect(names(await wireCall(url, { path: '/collections', headers }))).toEqual(['of_0']);
});

test('only a sub-domain of the API domain names a project; the rest of the hosts are the bare address', async () => {
  const { ref } = t.projects[1];
  for (const host of [
    'api.example.com',
    'example.com',
    `${ref}.api.example.com.evil.com`,
    `${ref}xapi.example.com`,
    `${ref}.example.com`,
  ]) {
    expect(names(await onHost(host, keyOf(0)))).toEqual(['of_0']);
  }
});

test('a key of another project than the address names is refused, as a made-up one is', async () => {
  const { ref } = t.projects[0];
  for (const key of [keyOf(1), { 'x-api-key': newApiKey() }]) {
    const replies = [
      await t.anonymous.get(`/p/${ref}/collections`, { headers: key }),
      await onHost(`${ref}.api.example.com`, key),
      await onHost(`${newProjectRef()}.api.example.com`, key),
      await onHost('a.b.api.example.com', key),
      await t.anonymous.get(`/p/${newProjectRef()}/collections`, { headers: key }),
    ];
    for (const { status, body } of replies) {
      expect({ status, body }).toFailWith(401, 'invalid_credentials');
      expect(body.error.message).toBe(replies[0]!.body.error.message);
    }
  }
});

test('the address in the path wins over the one in the host, and the key must be of that project', async () => {
  const call = (project: 0 | 1) =>
    wireCall(t.url, {
      path: `/p/${t.projects[0].ref}/collections`,
      headers: { host: `${t.projects[1].ref}.api.example.com`, ...keyOf(project) },
    });
  expect(names(await call(0))).toEqual(['of_0']);
  expect(await call(1)).toFailWith(401, 'invalid_credentials');
});

test('what needs a credential asks for it before anything is looked up: known and unknown projects answer alike', async () => {
  const plain = (text: string) => text.replace(/"requestId":"[^"]+"/, '');
  const known = await t.anonymous.get(`/p/${t.projects[0].ref}/collections`);
  const unknown = await t.anonymous.get(`/p/${newProjectRef()}/collections`);
  const bare = await t.anonymous.get('/collections');
  expect(known).toFailWith(401, 'credential_required');
  expect(plain(unknown.text)).toBe(plain(known.text));
  expect(plain(bare.text)).toBe(plain(known.text));
  const badBody = await t.anonymous.post(`/p/${t.projects[0].ref}/collections`, undefined, { raw: '{' });
  expect(badBody).toFailWith(401, 'credential_required');
});

test('without a credential one is not told which collections there are', async () => {
  const plain = (text: string) => text.replace(/"requestId":"[^"]+"/, '');
  const known = await t.anonymous.get(`/p/${t.projects[0].ref}/collections/of_0`);
  const unknown = await t.anonymous.get(`/p/${t.projects[0].ref}/collections/none`);
  expect(known).toFailWith(401, 'credential_required');
  expect(plain(unknown.text)).toBe(plain(known.text));
});

test('a root project does not make anonymous callers trusted, nor shadow what a key says', async () => {
  const { url } = await t.node({ ROOT_PROJECT: t.projects[0].ref });
  expect(await new Client(url).get('/collections')).toFailWith(401, 'credential_required');
  expect(names(await new Client(url).get('/collections', { headers: keyOf(1) }))).toEqual(['of_1']);
  const wrong = await new Client(url).get('/collections', { headers: { 'x-api-key': newApiKey() } });
  expect(wrong).toFailWith(401, 'invalid_credentials');
});

test('the key of a deleted project is refused, and its address names nothing', async () => {
  const { ref, api, apiKey } = await t.createProject();
  expect((await api.get('/collections')).status).toBe(200);
  await deleteProject(t.control, t.cells, ref, async () => {});
  await untilAnswer(() => api.get('/collections'), isRefused);
  const onAddress = await t.anonymous.get(`/p/${ref}/collections`, { headers: { 'x-api-key': apiKey } });
  expect(onAddress).toFailWith(401, 'invalid_credentials');
});
