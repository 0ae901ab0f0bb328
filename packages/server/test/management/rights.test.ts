import { randomUUID } from 'node:crypto';
import { beforeAll, describe, expect, test } from 'vitest';
import type { Right } from '../../src/calls/management/index.ts';
import { rights } from '../../src/features/management/index.ts';
import { sql } from '../../src/platform/db/sql.ts';
import { managementRoutes } from '../support/calls/live-routes.ts';
import { Client, type Reply } from '../support/client.ts';
import { Dashboard, type Manager, newManager, newProject, tokenOf } from '../support/management/dashboard.ts';
import { newPerson } from '../support/people/people.ts';
import { useTestApp } from '../support/test-app.ts';

const t = useTestApp();

test('the table of rights has a row for every route of management, and no other', () => {
  const live = managementRoutes(t.app).filter((route) => !route.startsWith('HEAD '));
  expect(live.length).toBeGreaterThan(40);
  expect(live).toEqual(Object.keys(rights).toSorted());
});

type Call = (method: string, path: string) => Promise<Reply>;

interface Kind {
  readonly call: Call;
  /** What a call is answered if the gate refuses it: status and code. Undefined: it lets the call in. */
  readonly refusal: (right: Right) => readonly [number, string] | undefined;
}

const noProject = [404, 'project_not_found'] as const;
const noAccount = [401, 'account_required'] as const;
const isOfProject = ({ who }: Right) => who === 'owner' || who === 'teammate';

let kinds: Record<string, Kind>;
let ref: string;

const asPage =
  (person: Dashboard): Call =>
  (method, path) =>
    person.call(method, path.replace('/management', ''), bodyOf(method));
const asProgram =
  (client: Client): Call =>
  (method, path) =>
    client.call(method, path.replace('/management', ''), bodyOf(method));

/** A body that no route takes: whoever is let in is told so, and nothing changes. */
const bodyOf = (method: string) => (method === 'GET' ? undefined : { surplus: true });

/** Signed in long ago. */
async function age(person: Manager): Promise<void> {
  await t.control.query(sql`UPDATE control.account_sessions SET signed_in_at = now() - interval '1 hour'
    WHERE account_id = ${person.id}::uuid`);
  await t.control.query(sql`SELECT pg_notify('plinth', 'account-session:' || encode(token_hash, 'hex'))
    FROM control.account_sessions WHERE account_id = ${person.id}::uuid`);
  await t.app.caughtUp();
}

async function join(owner: Manager, email: string): Promise<Manager> {
  const teammate = await newManager(t, email);
  const invited = await owner.post(`/projects/${ref}/invitations`, { email });
  const token = new URL(String(invited.body.data.link)).searchParams.get('token');
  const accepted = await teammate.post('/invitations/accept', { token });
  if (accepted.status !== 200) throw new Error(accepted.text);
  return teammate;
}

beforeAll(async () => {
  const owner = await newManager(t, 'owner@example.com');
  ({ ref } = await newProject(owner));
  const [teammate, removed] = [
    await join(owner, 'mate@example.com'),
    await join(owner, 'removed@example.com'),
  ];
  await owner.delete(`/projects/${ref}/team/${removed.id}`);
  const stranger = await newManager(t, 'stranger@example.com');
  const other = await newProject(owner, 'other');
  const writing = await tokenOf(t, owner);
  const reading = await tokenOf(t, owner, { access: 'read' });
  const foreign = await tokenOf(t, owner, { projects: [other.ref] });
  const expired = await tokenOf(t, stranger);
  await t.control.query(sql`UPDATE control.account_tokens SET expires_at = now() - interval '1 minute'
    WHERE account_id = ${stranger.id}::uuid`);
  const old = await newManager(t, 'old@example.com');
  const oldOwner = new Dashboard(t.url);
  await oldOwner.post('/session', { email: 'owner@example.com', password: 'correct horse battery staple' });
  const person = await newPerson(t);
  await age(old);
  const ofToken = (mayWrite: boolean) => (right: Right) => {
    if (right.tokens === 'none') return [403, 'session_required'] as const;
    return right.tokens === 'writing' && !mayWrite ? ([403, 'token_read_only'] as const) : undefined;
  };
  const unlessOpen = (refusal: readonly [number, string]) => (right: Right) =>
    right.who === 'anyone' ? undefined : refusal;
  const ofOutsider = (right: Right) => (isOfProject(right) ? noProject : undefined);
  const deletedOnly = (right: Right) => (right.isOfDeleted ? noProject : undefined);
  kinds = {
    owner: { call: asPage(owner), refusal: deletedOnly },
    teammate: {
      call: asPage(teammate),
      refusal: (right) => deletedOnly(right) ?? (right.who === 'owner' ? [403, 'owner_required'] : undefined),
    },
    stranger: { call: asPage(stranger), refusal: ofOutsider },
    'a removed member': { call: asPage(removed), refusal: ofOutsider },
    'a session that is not fresh': {
      call: asPage(old),
      refusal: (right) => ofOutsider(right) ?? (right.isFresh ? [403, 'sign_in_again'] : undefined),
    },
    'a writing token': {
      call: asProgram(writing),
      refusal: (right) => (right.who === 'anyone' ? undefined : (ofToken(true)(right) ?? deletedOnly(right))),
    },
    'a reading token': {
      call: asProgram(reading),
      refusal: (right) =>
        right.who === 'anyone' ? undefined : (ofToken(false)(right) ?? deletedOnly(right)),
    },
    'a token for another project': {
      call: asProgram(foreign),
      refusal: (right) => (right.who === 'anyone' ? undefined : (ofToken(true)(right) ?? ofOutsider(right))),
    },
    'an expired token': { call: asProgram(expired), refusal: () => [401, 'token_expired'] },
    'a made-up token': {
      call: asProgram(new Client(`${t.url}/management`, { authorization: `Bearer plt_${'x'.repeat(43)}` })),
      refusal: () => noAccount,
    },
    'an API key': {
      call: asProgram(new Client(`${t.url}/management`, { 'x-api-key': t.projects[0].apiKey })),
      refusal: () => noAccount,
    },
    'an app user': {
      call: asProgram(new Client(`${t.url}/management`, { authorization: `Bearer ${person.token}` })),
      refusal: () => noAccount,
    },
    'nobody, from the dashboard': {
      call: asPage(new Dashboard(t.url)),
      refusal: unlessOpen(noAccount),
    },
    'a made-up session': {
      call: asPage(new Dashboard(t.url, `plinth-dev=${'x'.repeat(43)}`)),
      refusal: unlessOpen(noAccount),
    },
    'a page without the header': {
      call: asProgram(new Client(`${t.url}/management`, { cookie: owner.cookie })),
      // A browser that goes somewhere in its window cannot send it.
      refusal: ({ navigation }) => (navigation ? undefined : [403, 'origin_not_allowed']),
    },
    'a page of another origin': {
      call: asProgram(
        new Client(`${t.url}/management`, {
          cookie: owner.cookie,
          'x-plinth-dashboard': '1',
          origin: 'https://evil.example.com',
          'sec-fetch-site': 'cross-site',
        }),
      ),
      refusal: ({ navigation }) => (navigation === 'return' ? undefined : [403, 'origin_not_allowed']),
    },
  };
});

const pathOf = (route: string) =>
  route
    .slice(route.indexOf(' ') + 1)
    .replace(':ref', ref)
    .replace(/:(id|account|request)/, randomUUID())
    .replace(/:(key|service)/, 'unknown')
    // Whoever is let in would have to read for a minute.
    .replace(/stream$/, 'stream?surplus=1');

describe('every route answers each kind of caller as the table says', () => {
  test.each([
    'owner',
    'teammate',
    'stranger',
    'a removed member',
    'a session that is not fresh',
    'a writing token',
    'a reading token',
    'a token for another project',
    'an expired token',
    'a made-up token',
    'an API key',
    'an app user',
    'nobody, from the dashboard',
    'a made-up session',
    'a page without the header',
    'a page of another origin',
  ])('%s', async (name) => {
    const { call, refusal } = kinds[name]!;
    for (const [route, right] of Object.entries(rights)) {
      const [method = ''] = route.split(' ');
      const reply = await call(method, pathOf(route));
      const [status, code] = refusal(right) ?? [];
      // Whoever is let in gets an answer, or is told what is wrong with the call itself.
      if (status === undefined) {
        expect({ route, isIn: [200, 400, 404].includes(reply.status) }).toEqual({ route, isIn: true });
        expect(reply.body.error?.code ?? 'fine').not.toMatch(
          /_required$|project_not_found|origin_not_allowed/,
        );
      } else {
        expect({ route, status: reply.status, code: reply.body.error?.code }).toEqual({
          route,
          status,
          code,
        });
      }
    }
  });
});
