// @postgres newest
import { beforeAll, expect, test } from 'vitest';
import { newCollection } from '../../support/data/new-collection.ts';
import { file, type Part, sendForm } from '../../support/files/forms.ts';
import { doorOf, newEmail, newPerson, type Person } from '../../support/people/people.ts';
import { useTestApp } from '../../support/test-app.ts';
import { expectTidy, usageOf } from './files-probes.ts';

const t = useTestApp();
let ada: Person;
beforeAll(async () => {
  ada = await newPerson(t);
});

const part = (name: string): Part => [name, file('f.txt', 'x')];

/** The JSON that says what a file part of this name says. */
function jsonOf(name: string): string {
  const [, operator, target] = /^(\$[^.]+)\.(.+)$/.exec(name) ?? [];
  if (operator === undefined) return `{${JSON.stringify(name)}:"x"}`;
  return `{${JSON.stringify(operator)}:{${JSON.stringify(target)}:{"$each":["x"]}}}`;
}

const names = [
  'secret',
  '$append.secret',
  '$addUnique.secret',
  '$append.deep.secret',
  '$unset.secret',
  'deep.secret',
  'deep',

  'by',
  '$append.by',
  '$unset.by',
  'id',
  '$append.id',
  '$append.createdAt',
  'updatedAt',
  'version',

  '__proto__',
  '$append.__proto__',
  '$append.__proto__.x',
  'constructor',
  'prototype',
  '$append.constructor',

  '$set',
  '$set.x',
  '$increment.x',
  '$unset.list',
  '$remove.list',
  '$append',
  '$append.',
  '$.x',
  '$each',
  '$append.a..b',

  'a\0b',
  'a'.repeat(2000),
  ' ',
  '🐈',
  '[]',
  'data[]',
  '$append.list[]',
];

test('U5: a file part writes nothing to a document that JSON could not', async () => {
  const { path, name: collection } = await newCollection(t.api);
  const settings = {
    rules: { read: 'users', create: 'users', update: 'users', delete: 'users' },
    ownerField: 'by',
    hiddenFields: ['secret', 'deep.secret'],
  };
  await t.api.patch(`/collections/${collection}`, { settings });
  const before = await usageOf(t.api);
  for (const name of names) {
    const { id } = (await t.api.post(path, { by: ada.id, secret: ['s'], list: [], deep: { secret: ['s'] } }))
      .body.data;
    for (const [method, address] of [
      ['POST', path],
      ['PATCH', `${path}/${id}`],
      ['PUT', `${path}/${id}`],
    ] as const) {
      const json = await ada.me.call(method, address, undefined, { raw: jsonOf(name) });
      const form = await sendForm(ada.me, method, address, [part(name)]);
      const said = `${method} ${name.slice(0, 20)}: ${form.status} ${form.body.error?.code}`;
      // What a form may name at all is its own matter; what JSON may not do, it may not either.
      if (json.body.success) expect([200, 201, 400], said).toContain(form.status);
      else expect([400, json.status], said).toContain(form.status);
    }
    const stored = (await t.api.get(`${path}/${id}`)).body.data;
    expect(stored).toMatchObject({ id, by: ada.id, secret: ['s'] });
    expect([undefined, 's']).toContain(stored.deep?.secret?.join());
  }
  // Only files that a document holds are there: they go with it.
  const { data } = (await t.api.get(`${path}?limit=100`)).body as { data: { id: string }[] };
  expect(data.every((document) => !JSON.stringify(document).includes('"by":"http'))).toBe(true);
  await t.api.post(`${path}/batch-delete`, { ids: data.map(({ id }) => id) });
  expect(await usageOf(t.api)).toEqual(before);
  await expectTidy(t);
});

test('U5: a file part writes nothing of a user but its data', async () => {
  const before = await usageOf(t.api);
  const { me, id } = await newPerson(t);
  const recordOf = async () => {
    const { data, updatedAt, ...record } = (await t.api.get(`/auth-collections/users/${id}`)).body.data;
    return { data, updatedAt, record };
  };
  const { record } = await recordOf();
  const owned = ['role', 'email', 'email_verified', 'phone', 'claims', 'suspended', 'id', 'password'];
  const sent = await sendForm(me, 'PATCH', '/auth-collections/user', owned.map(part));
  expect(sent.status, sent.text).toBe(200);
  expect((await recordOf()).record).toEqual(record);
  for (const [name, value] of [
    ['email_verified', 'true'],
    ['claims', '{"a":1}'],
    ['suspended', 'false'],
    ['id', id],
    ['__proto__', '{}'],
    ['constructor', 'x'],
  ] as const) {
    const address = ['email', newEmail()] as const;
    const tries = [
      await sendForm(me, 'PATCH', '/auth-collections/user', [[name, value], part('f')]),
      await sendForm(doorOf(t), 'POST', '/auth-collections/signup', [
        address,
        ['password', 'correct horse'],
        [name, value],
        part('f'),
      ]),
    ];
    for (const { status, body } of tries) expect({ status, body }, name).toFailWith(400, 'invalid_body');
    expect((await t.api.get(`/auth-collections/users?email=${address[1]}`)).body.total).toBe(0);
  }
  expect((await recordOf()).record).toEqual(record);
  await t.api.delete(`/auth-collections/users/${id}`);
  expect(await usageOf(t.api)).toEqual(before);
  await expectTidy(t);
});

test('U5: data that is no JSON, or no UTF-8, is refused as a body of its own would be', async () => {
  const { path } = await newCollection(t.api);
  const send = (data: Buffer, type = '') =>
    t.api.call('POST', path, undefined, {
      raw: Buffer.concat([
        Buffer.from(`--b\r\nContent-Disposition: form-data; name="data"${type}\r\n\r\n`),
        data,
        Buffer.from('\r\n--b--\r\n'),
      ]),
      headers: { 'content-type': 'multipart/form-data; boundary=b' },
    });
  for (const data of [
    Buffer.from('{"a":"\xff"}', 'latin1'),
    Buffer.from('{"a":"\\u0000"}'),
    Buffer.from('{"a":9007199254740993}'),
    Buffer.from(`${'{"a":'.repeat(40)}1${'}'.repeat(40)}`),
    Buffer.from('{"__proto__":1}'),
    Buffer.from('null'),
    Buffer.from('"x"'),
  ]) {
    const plain = await t.api.call('POST', path, undefined, { raw: data });
    const form = await send(data);
    expect([data.toString().slice(0, 20), plain.status, form.status]).toEqual([
      data.toString().slice(0, 20),
      400,
      400,
    ]);
  }
  const wide = await send(
    Buffer.from('{"a":1}', 'utf16le'),
    '\r\nContent-Type: text/plain; charset=utf-16le',
  );
  expect([201, 400]).toContain(wide.status);
  expect((await t.api.get(path)).body.total).toBeLessThanOrEqual(1);
});
