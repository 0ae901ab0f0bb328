import { expect } from 'vitest';
import { setOrigins } from '../../../src/features/control/projects/index.ts';
import { openBrowser, type TestBrowser } from '../browser.ts';
import type { Client, Reply } from '../client.ts';
import { servePage } from '../serve-page.ts';
import { type TestApp, testApp } from '../test-app.ts';
import { type Device, openDevice, type SentCredential } from './device.ts';
import { bearing, doorOf, newPerson, type Person } from './people.ts';

type Options = Record<string, unknown>;

/** A node, its two projects with the app's origins, and a browser. */
export interface Stage extends AsyncDisposable {
  readonly t: TestApp;
  /** Pages of the app: the same domain, and so the same passkeys, but two origins. */
  readonly origin: string;
  readonly otherOrigin: string;
  /** `verifies`: the device can tell its owner from others. */
  openDevice(verifies?: boolean): Promise<Device>;
  /** Calls from a page of the app. */
  post(client: Client, path: string, body?: unknown, from?: string): Promise<Reply>;
  creationOptions(person: Person): Promise<Options>;
  requestOptions(project?: 0 | 1): Promise<Options>;
  register(person: Person, response: SentCredential, name?: string): Promise<Reply>;
  logIn(response: SentCredential, project?: 0 | 1): Promise<Reply>;
  /** The whole way, as an app would go it. */
  addPasskey(person: Person, device: Device, name?: string): Promise<Reply>;
  signIn(device: Device, project?: 0 | 1): Promise<Reply>;
  /** Somebody with a passkey on a device of their own. */
  personWithPasskey(project?: 0 | 1): Promise<{ person: Person; device: Device; id: string }>;
}

export async function openStage(overrides: Record<string, string> = {}): Promise<Stage> {
  const t = await testApp(overrides);
  const [page, otherPage] = await Promise.all([servePage(), servePage()]);
  const [origin, otherOrigin] = [page.origin, otherPage.origin];
  for (const { ref } of t.projects) await setOrigins(t.control, ref, [origin, otherOrigin]);
  const browser = await openBrowser();
  return {
    ...actions(t, browser, origin),
    t,
    origin,
    otherOrigin,
    async [Symbol.asyncDispose]() {
      for (const each of [browser, page, otherPage, t]) await each[Symbol.asyncDispose]();
    },
  };
}

type Actions = Omit<Stage, 't' | 'origin' | 'otherOrigin' | keyof AsyncDisposable>;

function actions(t: TestApp, browser: TestBrowser, origin: string): Actions {
  const post: Stage['post'] = (client, path, body, from = origin) =>
    client.post(`/auth-collections/passkeys/${path}`, body, { headers: { origin: from } });
  const optionsOf = async (reply: Promise<Reply>): Promise<Options> => {
    const { status, text, body } = await reply;
    expect(status, text).toBe(200);
    return body.data;
  };
  const creationOptions: Stage['creationOptions'] = ({ me, password }) =>
    optionsOf(post(me, 'register/options', { password }));
  const requestOptions: Stage['requestOptions'] = (project) =>
    optionsOf(post(doorOf(t, project), 'login/options'));
  const register: Stage['register'] = ({ me }, response, name) =>
    post(me, 'register', { response, ...(name !== undefined && { name }) });
  const logIn: Stage['logIn'] = (response, project) => post(doorOf(t, project), 'login', { response });
  const addPasskey: Stage['addPasskey'] = async (person, device, name) =>
    register(person, await device.create(await creationOptions(person)), name);
  return {
    post,
    openDevice: (verifies) => openDevice(browser, origin, verifies),
    creationOptions,
    requestOptions,
    register,
    logIn,
    addPasskey,
    signIn: async (device, project) => logIn(await device.get(await requestOptions(project)), project),
    personWithPasskey: async (project = 0) => {
      const person = await newPerson(t, { project });
      const device = await openDevice(browser, origin);
      const added = await addPasskey(person, device);
      expect(added.status, added.text).toBe(201);
      return { person, device, id: added.body.data.id };
    },
  };
}

export const outcome = ({ status, body }: Reply): [number, string | undefined] => [status, body?.error?.code];
export const refused = [400, 'invalid_passkey'] as const;

/** Calls with the token that a login gave. */
export const signedInBy = (t: TestApp, { body }: Reply): Client => bearing(t, body.access_token);
