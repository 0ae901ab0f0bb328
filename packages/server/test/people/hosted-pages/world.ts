import { randomInt } from 'node:crypto';
import { Secret, TOTP } from 'otpauth';
import { expect } from 'vitest';
import { setConfig, setOrigins, unsetConfig } from '../../../src/features/control/projects/index.ts';
import { untilAnswer } from '../../support/calls/until-answer.ts';
import { Client } from '../../support/client.ts';
import { type MailServer, startMailServer } from '../../support/mail-server.ts';
import { newEmail } from '../../support/people/people.ts';
import { startApp, Visitor } from '../../support/people/visitor.ts';
import { type TestApp, testApp } from '../../support/test-app.ts';

export interface Person {
  readonly id: string;
  readonly email: string;
  readonly password: string;
  readonly phone: string;
  readonly me: Client;
}

/** A project with people, mail, and an app of its own that sign-ins lead back to. */
export interface PageWorld extends AsyncDisposable {
  readonly t: TestApp;
  readonly mail: MailServer;
  /** Where the app is; its origin is allowed. */
  readonly appOrigin: string;
  readonly ref: string;
  /** The address of the project. */
  readonly address: string;
  readonly visitor: Visitor;
  /** Calls to the project's address without a credential. */
  readonly door: Client;
  newPerson(): Promise<Person>;
  /** Changes something below `/auth-collections/` with the API key; the status. */
  administer(path: string, changes: Record<string, unknown>): Promise<number>;
  /** Sets built-in keys of the project, or with null unsets them; the node knows of it when this is done. */
  configure(keys: Record<string, string | null>): Promise<void>;
}

const person = { password: 'correct horse battery' };

/** A world of its own for a test file. */
export async function pageWorld(
  overrides: Record<string, string> = {},
  keys: Record<string, string> = {},
): Promise<PageWorld> {
  const mail = await startMailServer();
  const app = await startApp();
  const t = await testApp({ SMTP_URL: mail.url, MAIL_FROM: 'no-reply@example.com', ...overrides });
  const { ref, api } = await t.createProject('Harbour Lights');
  const address = `${t.url}/p/${ref}`;
  const door = new Client(address);
  let changes = 0;
  const configure = async (keys: Record<string, string | null>) => {
    for (const [name, value] of Object.entries(keys)) {
      if (value === null) await unsetConfig(t.control, ref, name);
      else await setConfig(t.control, ref, name, value);
    }
    changes += 1;
    // Nodes hear of changes in their order: one that knows this origin knows the keys.
    const marker = `https://change-${changes}.example`;
    await setOrigins(t.control, ref, [app.origin, marker]);
    const headers = { origin: marker, 'access-control-request-method': 'GET' };
    const ask = () => door.call('OPTIONS', '/collections', undefined, { headers });
    await untilAnswer(ask, ({ status }) => status === 200, 60_000);
  };
  await configure({ SEND_WELCOME_EMAIL: 'false', ...keys });
  return {
    t,
    mail,
    appOrigin: app.origin,
    ref,
    address,
    visitor: new Visitor(address, { 'accept-language': 'en' }),
    door,
    configure,
    administer: async (path, changes) => (await api.patch(`/auth-collections/${path}`, changes)).status,
    newPerson: () => newPerson(door),
    async [Symbol.asyncDispose]() {
      await t[Symbol.asyncDispose]();
      await app[Symbol.asyncDispose]();
      await mail[Symbol.asyncDispose]();
    },
  };
}

async function newPerson(door: Client): Promise<Person> {
  const email = newEmail();
  const { body } = await door.post('/auth-collections/signup', { email, ...person });
  const { access_token: token, user } = body.data;
  const me = new Client(door.baseUrl, { authorization: `Bearer ${token}` });
  const phone = `+4915${randomInt(100_000_000, 999_999_999)}`;
  return { id: user.id, email, password: person.password, phone, me };
}

/** What an app does with the address it is called back at: trades the code for a token. */
export async function exchange(
  door: Client,
  location: string | null,
  more: Record<string, string> = {},
): Promise<{ status: number; email?: string }> {
  const called = new URL(location!);
  const code = called.searchParams.get('code')!;
  called.search = '';
  const { status, body } = await door.post('/auth-collections/exchange', {
    code,
    redirect_uri: called.href,
    ...more,
  });
  return { status, email: body.data?.user?.email };
}

/** Gives a person an authenticator app. Each code of it is good once: later ones are those of later moments. */
export async function setUpAuthenticator({ me, password }: Person) {
  const setUp = await me.post('/auth-collections/2fa/totp/setup', { password });
  const totp = new TOTP({ secret: Secret.fromBase32(setUp.body.data.secret) });
  const codeAt = (seconds: number) => totp.generate({ timestamp: Date.now() + seconds * 1000 });
  const confirmed = await me.post('/auth-collections/2fa/totp/confirm', { code: codeAt(0) });
  expect(confirmed.status, confirmed.text).toBe(200);
  return { codeAt, recoveryCodes: confirmed.body.data.recovery_codes as string[] };
}
