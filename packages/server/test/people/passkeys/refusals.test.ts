// @postgres newest
// @needs chromium
import { afterAll, beforeAll, expect, test } from 'vitest';
import { forge } from '../../support/people/device.ts';
import { openStage, outcome, refused, type Stage } from '../../support/people/passkeys.ts';
import { doorOf, newPerson } from '../../support/people/people.ts';

let stage: Stage;
beforeAll(async () => {
  stage = await openStage();
});
afterAll(() => stage[Symbol.asyncDispose]());

const unverified = { userVerification: 'discouraged' };

test('a device that does not verify its owner adds no passkey', async () => {
  const person = await newPerson(stage.t);
  const device = await stage.openDevice(false);
  const options = await stage.creationOptions(person);
  await expect(device.create(options)).rejects.toThrow('NotAllowedError');
  // A page that asks for less than the service does.
  const made = await device.create({ ...options, authenticatorSelection: unverified });
  expect(await stage.register(person, made)).toFailWith(...refused);
});

test('a device that does not verify its owner logs nobody in', async () => {
  const { device } = await stage.personWithPasskey();
  await device.setOwnerPresent(false);
  const used = await device.get({ ...(await stage.requestOptions()), ...unverified });
  expect(await stage.logIn(used)).toFailWith(...refused);
  await device.setOwnerPresent(true);
  expect((await stage.signIn(device)).status).toBe(200);
});

test('F2: certificates of a device are not looked at, nor the addresses in them', async () => {
  const person = await newPerson(stage.t);
  const device = await stage.openDevice();
  const made = await device.create({ ...(await stage.creationOptions(person)), attestation: 'direct' });
  expect(Buffer.from(made.response.attestationObject!, 'base64url').includes('x5c')).toBe(true);
  expect(await stage.register(person, made)).toFailWith(...refused);
});

test('what was asked for by one page and signed on another is refused, on the same domain too', async () => {
  const { person, device } = await stage.personWithPasskey();
  const second = await stage.openDevice();
  await device.goTo(stage.otherOrigin);
  await second.goTo(stage.otherOrigin);
  expect(await stage.signIn(device)).toFailWith(...refused);
  expect(await stage.addPasskey(person, second)).toFailWith(...refused);
  await device.goTo(stage.origin);
  expect((await stage.signIn(device)).status).toBe(200);
});

test('A5: of 50 logins with one response one succeeds, and none later', async () => {
  const { device } = await stage.personWithPasskey();
  const used = await device.get(await stage.requestOptions());
  const replies = await Promise.all(Array.from({ length: 50 }, () => stage.logIn(used)));
  expect(replies.filter(({ status }) => status === 200)).toHaveLength(1);
  for (const reply of replies.filter(({ status }) => status !== 200)) expect(reply).toFailWith(...refused);
  expect(await stage.logIn(used)).toFailWith(...refused);
});

test('A5: of 50 registrations with one response one succeeds, and none later', async () => {
  const person = await newPerson(stage.t);
  const made = await (await stage.openDevice()).create(await stage.creationOptions(person));
  const replies = await Promise.all(Array.from({ length: 50 }, () => stage.register(person, made)));
  expect(replies.filter(({ status }) => status === 201)).toHaveLength(1);
  expect(await stage.register(person, made)).toFailWith(...refused);
  expect((await person.me.get('/auth-collections/passkeys')).body.data).toHaveLength(1);
});

test('A8: options of another project, another user or for something else are refused', async () => {
  const { person, device } = await stage.personWithPasskey();
  const foreign = await device.get(await stage.requestOptions(1));
  expect(await stage.logIn(foreign)).toFailWith(...refused);

  const other = await newPerson(stage.t);
  const second = await stage.openDevice();
  const made = await second.create(await stage.creationOptions(person));
  expect(await stage.register(other, made)).toFailWith(...refused);
  // Somebody else cannot use them up either.
  expect((await stage.register(person, made)).status).toBe(201);

  const { challenge } = await stage.creationOptions(person);
  const forRegistration = await device.get({ ...(await stage.requestOptions()), challenge });
  expect(await stage.logIn(forRegistration)).toFailWith(...refused);
  const { challenge: forLogin } = await stage.requestOptions();
  const third = await stage.openDevice();
  const madeForLogin = await third.create({ ...(await stage.creationOptions(other)), challenge: forLogin });
  expect(await stage.register(other, madeForLogin)).toFailWith(...refused);
});

test('A8: a passkey of one project is unknown in another', async () => {
  const { device } = await stage.personWithPasskey();
  expect(await stage.signIn(device, 1)).toFailWith(...refused);
  expect((await stage.signIn(device)).status).toBe(200);
});

test('options are good for five minutes', async () => {
  const { t } = stage;
  const { device } = await stage.personWithPasskey();
  const used = await device.get(await stage.requestOptions());
  const pool = t.cells.pool(t.projects[0].cell);
  const { rowCount } = await pool.query(
    `UPDATE cell.passkey_challenges SET expires_at = expires_at - interval '300 seconds' WHERE purpose = 'login'`,
  );
  expect(rowCount).toBeGreaterThan(0);
  expect(await stage.logIn(used)).toFailWith(...refused);
});

test('what the owner of a key writes around its signature is checked, too', async () => {
  const { device, person } = await stage.personWithPasskey();
  const other = await newPerson(stage.t);
  const [key] = await device.keys();
  const handleOf = (id: string) => Buffer.from(id.replaceAll('-', ''), 'hex').toString('base64url');
  const attempt = async (forgery: Partial<Parameters<typeof forge>[1]>) => {
    const challenge = (await stage.requestOptions()).challenge as string;
    const { origin } = stage;
    return outcome(await stage.logIn(forge(key!, { challenge, origin, signCount: 1000, ...forgery })));
  };
  for (const forgery of [
    { isSignatureWrong: true },
    { origin: 'https://evil.example' },
    { rpId: 'evil.example' },
    { userHandle: handleOf(other.id) },
    { userHandle: '' },
    { challenge: 'made-up' },
    { clientData: { type: 'webauthn.create' } },
    { clientData: { crossOrigin: true } },
    { clientData: { challenge: { length: 1 } } },
  ])
    expect(await attempt(forgery), JSON.stringify(forgery)).toEqual(refused);
  // The same, with nothing wrong about it.
  expect(await attempt({ userHandle: handleOf(person.id) })).toEqual([200, undefined]);
});

test('a copy of a key is found out by its count, unless the device does not count', async () => {
  const { t, origin } = stage;
  const { device, id } = await stage.personWithPasskey();
  const [key] = await device.keys();
  const signed = async (signCount: number) => {
    const challenge = (await stage.requestOptions()).challenge as string;
    return forge(key!, { challenge, origin, signCount });
  };
  const attempt = async (signCount: number) => outcome(await stage.logIn(await signed(signCount)));
  expect(await attempt(10)).toEqual([200, undefined]);
  for (const count of [10, 9, 0]) expect(await attempt(count)).toEqual(refused);
  const responses = await Promise.all(Array.from({ length: 20 }, () => signed(11)));
  const replies = await Promise.all(responses.map((response) => stage.logIn(response)));
  expect(replies.filter(({ status }) => status === 200)).toHaveLength(1);
  expect(await attempt(4_294_967_295)).toEqual([200, undefined]);
  const pool = t.cells.pool(t.projects[0].cell);
  await pool.query('UPDATE cell.passkeys SET sign_count = 0 WHERE id = $1', [id]);
  for (const count of [0, 0]) expect(await attempt(count)).toEqual([200, undefined]);
});

test('D10: a response of another form is refused', async () => {
  const { t } = stage;
  const { device, person } = await stage.personWithPasskey();
  const used = await device.get(await stage.requestOptions());
  const login = (response: unknown) => stage.post(doorOf(t), 'login', { response });
  for (const response of [
    null,
    'text',
    {},
    { ...used, id: '../' },
    { ...used, type: 'password' },
    { ...used, response: { ...used.response, signature: 7 } },
  ])
    expect(await login(response)).toFailWith(400, 'invalid_body');
  const clientDataJSON = (text: string) => ({
    ...used,
    response: { ...used.response, clientDataJSON: Buffer.from(text).toString('base64url') },
  });
  for (const text of ['', 'null', '[]', '{', '{"challenge":null}', '"x"', '['.repeat(3000)])
    expect(await login(clientDataJSON(text))).toFailWith(...refused);
  // None of this has used anything up.
  expect((await stage.logIn(used)).status).toBe(200);

  const made = await (await stage.openDevice()).create(await stage.creationOptions(person));
  for (const attestationObject of ['', 'AAAA', Buffer.alloc(12_000, 0x81).toString('base64url')]) {
    const broken = { ...made, response: { ...made.response, attestationObject } };
    expect(await stage.register(person, broken)).toFailWith(...refused);
  }
});
