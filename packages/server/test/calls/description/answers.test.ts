// @postgres newest
import { beforeAll, expect, test } from 'vitest';
import { Client, type Reply } from '../../support/client.ts';
import { sendForm } from '../../support/files/forms.ts';
import { useTestApp } from '../../support/test-app.ts';
import { makeThingsFor, methodOf, pathOf, rowOf } from '../route-table.ts';
import { Description } from './description.ts';

const t = useTestApp();
let description: Description;
beforeAll(async () => {
  description = await Description.read(t.anonymous);
});

/** What is wrong with the answers to the ways of making a call. */
async function problemsOf(route: string): Promise<string[]> {
  const row = rowOf(route)!;
  const call = async (headers: Record<string, string> = {}, isAnonymous = false): Promise<Reply> => {
    const things = await makeThingsFor(t, route);
    const client = new Client(row.access === 'open' ? t.url : `${t.url}/p/${t.projects[0].ref}`, {
      ...(!isAnonymous && row.access === 'user' && { authorization: `Bearer ${things.person!.token}` }),
      ...(!isAnonymous && row.access !== 'user' && { 'x-api-key': t.projects[0].apiKey }),
      ...headers,
    });
    const path = pathOf(route, things);
    return row.upload
      ? sendForm(client, 'POST', path, [['file', row.upload]])
      : client.call(methodOf(route), path, row.body?.(things));
  };
  const good = await call();
  const status = good.status === row.status ? [] : [`answered ${good.status} ${good.text}`];
  const isEnveloped = description.find(route)!.parameters.some(({ name }) => name === 'X-Response-Format');
  const bare = isEnveloped && row.status < 300 ? await call({ 'x-response-format': 'bare' }) : undefined;
  return [
    ...status,
    ...description.problemsOf(route, good),
    ...description.problemsOf(route, await call({}, true)),
    ...description.problemsOf(route, await call({ 'x-response-format': 'loud', 'if-none-match': '"x"' })),
    ...(bare ? description.problemsOf(route, bare, true).map((problem) => `bare: ${problem}`) : []),
  ];
}

test('every answer is as the document says: status, headers and body', async () => {
  const found: string[] = [];
  for (const [route] of description.operations()) {
    if (!rowOf(route)) continue;
    found.push(...(await problemsOf(route)).map((problem) => `${route}: ${problem}`));
  }
  expect(found).toEqual([]);
});

test('the checker notices what the document leaves out or says otherwise', async () => {
  const reply = await t.api.get('/collections?limit=1');
  const planted = (from: RegExp, to: string) =>
    new Description(JSON.parse(JSON.stringify(description.document).replaceAll(from, to)));
  const problems = (other: Description) => other.problemsOf('GET /collections', reply);
  expect(problems(description)).toEqual([]);
  expect(problems(planted(/"X-RateLimit-Reset":\{"\$ref"/g, '"X-Other":{"$ref"'))).toHaveLength(1);
  expect(problems(planted(/"hasMore":\{"type":"boolean"/g, '"hasMore":{"type":"string"'))).toHaveLength(1);
  expect(problems(planted(/"documentCount":\{/g, '"otherCount":{'))).not.toEqual([]);
  expect(
    problems(planted(/"200":\{"description":"Success"/g, '"202":{"description":"Success"')),
  ).toHaveLength(1);
});
