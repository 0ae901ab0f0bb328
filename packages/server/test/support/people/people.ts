import { randomBytes } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect } from 'vitest';
import { Client, type Reply } from '../client.ts';
import type { TestApp } from '../test-app.ts';

export interface Person {
  readonly id: string;
  readonly email: string;
  readonly password: string;
  readonly token: string;
  /** Calls with the person's token. */
  readonly me: Client;
}

interface Wish {
  readonly email?: string;
  readonly password?: string;
  readonly role?: string;
  readonly data?: Record<string, unknown>;
  /** Which of the two projects. */
  readonly project?: 0 | 1;
}

export const newEmail = (): string => `${randomBytes(6).toString('hex')}@example.com`;

/** The address of a project, where anyone may sign up and log in. */
export function doorOf(t: TestApp, project: 0 | 1 = 0, url = t.url): Client {
  return new Client(`${url}/p/${t.projects[project].ref}`);
}

export const bearing = (t: TestApp, token: string, url = t.url): Client =>
  new Client(url, { authorization: `Bearer ${token}` });

/** Sign-ups and log-ins are refused while Redis is slow to count them, as it may be on a busy machine: calls again. */
async function onceCounted(call: () => Promise<Reply>): Promise<Reply> {
  for (const until = performance.now() + 60_000; ; await sleep(200)) {
    const reply = await call();
    if (reply.status !== 503 || performance.now() > until) return reply;
  }
}

/** Signs a new person up. */
export async function newPerson(t: TestApp, { project = 0, ...wish }: Wish = {}): Promise<Person> {
  const body = { email: newEmail(), password: 'correct horse', ...wish };
  const reply = await onceCounted(() => doorOf(t, project).post('/auth-collections/signup', body));
  expect(reply.status, reply.text).toBe(201);
  const { access_token: token, user } = reply.body.data;
  return { id: user.id, email: body.email, password: body.password, token, me: bearing(t, token) };
}

/** Logs in again; the token of the new sign-in. */
export async function logIn(t: TestApp, person: Person, project: 0 | 1 = 0): Promise<string> {
  const { email, password } = person;
  const door = doorOf(t, project);
  const reply = await onceCounted(() => door.post('/auth-collections/login', { email, password }));
  expect(reply.status, reply.text).toBe(200);
  return reply.body.access_token;
}

/** Whether a token lets its holder in. */
export async function statusOf(t: TestApp, token: string, url = t.url): Promise<number> {
  return (await bearing(t, token, url).get('/auth-collections/user')).status;
}
