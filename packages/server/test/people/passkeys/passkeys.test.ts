// @postgres newest
// @needs chromium
import { afterAll, beforeAll, expect, test } from 'vitest';
import { setConfig, setOrigins } from '../../../src/features/control/projects/index.ts';
import { untilAnswer } from '../../support/calls/until-answer.ts';
import { openStage, refused, type Stage, signedInBy } from '../../support/people/passkeys.ts';
import { bearing, doorOf, newPerson } from '../../support/people/people.ts';

let stage: Stage;
beforeAll(async () => {
  stage = await openStage();
});
afterAll(() => stage[Symbol.asyncDispose]());

interface SignedIn {
  readonly access_token: string;
  readonly user: { readonly id: string };
}

test('an app adds a passkey and logs in with it, all from its own page', async () => {
  const { t } = stage;
  const person = await newPerson(t);
  const device = await stage.openDevice();
  const script = `(async (address, token, password) => {
    const call = async (path, body, authorization) => {
      const headers = { 'content-type': 'application/json', ...(authorization && { authorization }) };
      const reply = await fetch(address + path, { method: 'POST', headers, body: JSON.stringify(body) });
      return (await reply.json()).data;
    };
    const made = await navigator.credentials.create({
      publicKey: PublicKeyCredential.parseCreationOptionsFromJSON(
        await call('/register/options', { password }, 'Bearer ' + token)),
    });
    await call('/register', { response: made.toJSON() }, 'Bearer ' + token);
    const used = await navigator.credentials.get({
      publicKey: PublicKeyCredential.parseRequestOptionsFromJSON(await call('/login/options', {})),
    });
    return call('/login', { response: used.toJSON() });
  })`;
  const address = `${t.url}/p/${t.projects[0].ref}/auth-collections/passkeys`;
  const given = [address, person.token, person.password].map((text) => JSON.stringify(text)).join();
  const { access_token: token, user } = await device.page.evaluate<SignedIn>(`${script}(${given})`);
  expect(user.id).toBe(person.id);
  const me = bearing(t, token);
  expect((await me.get('/auth-collections/user')).body.data).toMatchObject({
    id: person.id,
    email: person.email,
  });
  const sessions = (await me.get('/auth-collections/sessions')).body.data;
  expect(sessions.find(({ current }: { current: boolean }) => current).method).toBe('passkey');
});

test('options ask for a passkey that is found by itself and verifies its owner', async () => {
  const person = await newPerson(stage.t);
  const options = await stage.creationOptions(person);
  expect(options).toMatchObject({
    rp: { id: 'localhost' },
    user: { id: Buffer.from(person.id.replaceAll('-', ''), 'hex').toString('base64url'), name: person.email },
    authenticatorSelection: { residentKey: 'required', userVerification: 'required' },
    attestation: 'none',
    excludeCredentials: [],
  });
  const login = await stage.requestOptions();
  expect(login).toMatchObject({ rpId: 'localhost', userVerification: 'required' });
  expect(login).not.toHaveProperty('allowCredentials');
  for (const { challenge } of [options, login])
    expect(Buffer.from(challenge as string, 'base64url')).toHaveLength(32);
  expect((await stage.requestOptions()).challenge).not.toBe(login.challenge);
});

test('a passkey is listed, renamed and deleted', async () => {
  const person = await newPerson(stage.t);
  const device = await stage.openDevice();
  const { status, body } = await stage.addPasskey(person, device, 'My laptop');
  expect(status).toBe(201);
  const { id } = body.data;
  const at = expect.stringMatching(/^\d{4}-.*Z$/);
  expect(body.data).toEqual({ id, name: 'My laptop', createdAt: at, lastUsedAt: null, backedUp: false });
  expect((await stage.signIn(device)).status).toBe(200);
  expect((await person.me.get('/auth-collections/passkeys')).body.data).toEqual([
    { ...body.data, lastUsedAt: at },
  ]);
  const renamed = await person.me.patch(`/auth-collections/passkeys/${id}`, { name: 'Work' });
  expect([renamed.status, renamed.body.data.name]).toEqual([200, 'Work']);
  for (const name of ['', 'x'.repeat(101), 7, null])
    expect((await person.me.patch(`/auth-collections/passkeys/${id}`, { name })).status).toBe(400);
  const deleted = await person.me.delete(`/auth-collections/passkeys/${id}`);
  expect([deleted.status, deleted.body.data]).toEqual([200, { id, deleted: true }]);
  expect((await person.me.get('/auth-collections/passkeys')).body.data).toEqual([]);
  expect(await stage.signIn(device)).toFailWith(...refused);
  expect(await person.me.delete(`/auth-collections/passkeys/${id}`)).toFailWith(404, 'passkey_not_found');
});

test('a second device gets a passkey of its own; the first makes no second one', async () => {
  const { person, device, id } = await stage.personWithPasskey();
  const options = await stage.creationOptions(person);
  expect(options.excludeCredentials).toEqual([{ id, type: 'public-key', transports: ['internal'] }]);
  await expect(device.create(options)).rejects.toThrow('InvalidStateError');
  const second = await stage.openDevice();
  expect((await stage.addPasskey(person, second)).status).toBe(201);
  for (const each of [device, second])
    expect((await stage.signIn(each)).body.user).toMatchObject({ id: person.id });
  expect((await person.me.get('/auth-collections/passkeys')).body.data).toHaveLength(2);
});

test('A8: nobody sees, renames or deletes a passkey of another', async () => {
  const { person, id } = await stage.personWithPasskey();
  const other = await newPerson(stage.t);
  const foreigner = await newPerson(stage.t, { project: 1 });
  for (const { me } of [other, foreigner]) {
    expect((await me.get('/auth-collections/passkeys')).body.data).toEqual([]);
    for (const named of [id, '%00', 'nobody', 'x'.repeat(3000)]) {
      const path = `/auth-collections/passkeys/${named}`;
      expect(await me.patch(path, { name: 'Mine' })).toFailWith(404, 'passkey_not_found');
      expect(await me.delete(path)).toFailWith(404, 'passkey_not_found');
    }
  }
  const { data } = (await person.me.get('/auth-collections/passkeys')).body;
  expect(data).toMatchObject([{ id, name: 'Passkey' }]);
  expect(await person.me.get('/auth-collections/passkeys?limit=1')).toFailWith(400, 'invalid_query');
});

test('a user with a password shows it before a passkey is added', async () => {
  const { me } = await newPerson(stage.t);
  for (const body of [undefined, {}, { password: 'wrong horse' }])
    expect(await stage.post(me, 'register/options', body)).toFailWith(400, 'wrong_password');
});

test('a passkey is for the domain of the page that asks, or for FRONTEND_URL where no page does', async () => {
  const { t, origin } = stage;
  const { ref } = await t.createProject();
  await setOrigins(t.control, ref, [origin]);
  const askOf = (project: string) => (headers: Record<string, string>) =>
    t.anonymous.post(`/p/${project}/auth-collections/passkeys/login/options`, undefined, { headers });
  expect(await askOf(t.projects[0].ref)({})).toFailWith(400, 'passkey_domain_unknown');
  await setConfig(t.control, ref, 'FRONTEND_URL', 'https://app.example.com/start');
  const ask = askOf(ref);
  expect((await ask({})).body.data.rpId).toBe('app.example.com');
  expect((await ask({ origin })).body.data.rpId).toBe('localhost');
  const own = t.url.replace('127.0.0.1', 'localhost');
  expect((await ask({ origin: own })).body.data.rpId).toBe('localhost');
  for (const elsewhere of ['http://localhost:9', 'https://evil.example', 'https://app.example.com', 'null'])
    expect(await ask({ origin: elsewhere })).toFailWith(403, 'origin_not_allowed');
});

test('a login with a passkey asks for no second step', async () => {
  const { t } = stage;
  const { person, device } = await stage.personWithPasskey(1);
  await setConfig(t.control, t.projects[1].ref, 'ENABLE_2FA', 'true');
  const { email, password } = person;
  const logIn = () => doorOf(t, 1).post('/auth-collections/login', { email, password });
  await untilAnswer(logIn, ({ body }) => body.access_token === undefined, 60_000);
  const reply = await stage.signIn(device, 1);
  expect(reply.status, reply.text).toBe(200);
  expect((await signedInBy(t, reply).get('/auth-collections/user')).body.data.id).toBe(person.id);
});
