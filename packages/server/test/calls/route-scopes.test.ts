// @postgres newest
import { describe, expect, test } from 'vitest';
import { formatScope, knownScopes, parseScope } from '../../src/calls/index.ts';
import { liveRoutes } from '../support/calls/live-routes.ts';
import { Client, type Reply } from '../support/client.ts';
import { newKey } from '../support/control/keys.ts';
import { upload } from '../support/files/forms.ts';
import { newPerson } from '../support/people/people.ts';
import { useTestApp } from '../support/test-app.ts';
import { makeThings, methodOf, pathOf, rowOf, type Things } from './route-table.ts';

const t = useTestApp();

/** Live connections: what is asked for on them is checked there. */
const decidedLater = ['GET /realtime', 'POST /realtime/ticket'];

const routes = () => liveRoutes(t.app).filter((route) => rowOf(route)!.access !== 'open');
const guarded = () => routes().filter((route) => !decidedLater.includes(route));

async function makeAll(): Promise<Things> {
  const { body } = await upload(t.api, 'kept.txt', 'untouched');
  return { ...(await makeThings(t.api)), person: await newPerson(t), file: body.data };
}

const call = (key: string, route: string, things: Things, more: Record<string, string> = {}) =>
  new Client(t.url, { 'x-api-key': key, accept: '*/*', ...more }).call(
    methodOf(route),
    pathOf(route, things),
    // The gate is passed, or not, before the body is looked at: nothing is to be done here.
    methodOf(route) === 'GET' || methodOf(route) === 'HEAD' ? undefined : 'not what the route takes',
  );

/** HEAD has no body, and pages answer with HTML: there the status has to do. */
function isRefused(route: string, { status, body }: Reply): boolean {
  const isUntold = route.startsWith('HEAD') || rowOf(route)!.isPage;
  return status === 403 && (isUntold || body.error.code === 'scope_missing');
}

/** The scopes that the service says a route needs. */
async function neededFor(route: string, things: Things, key: string): Promise<string[]> {
  const told = route.replace(/^HEAD/, route.includes('/resumable') ? 'PATCH' : 'GET');
  const { status, body } = await call(key, told, things);
  expect({ route, status }).toEqual({ route, status: 403 });
  return body?.error?.details?.needed ?? [];
}

/** All scopes there are but those that cover one of these. */
function allBut(needed: readonly string[], collection: string): string[] {
  const [area = '', ...rest] = (needed[0] ?? '').split(':');
  const action = rest.at(-1);
  const all = knownScopes
    .filter((scope) => scope !== '*')
    .map((scope) => scope.replace('{name}', collection));
  const covering = new Set(
    area === 'collection'
      ? [`documents:${action}`, 'documents:*', needed[0], `collection:${collection}:*`]
      : [needed[0], `${area}:*`],
  );
  return all.filter((scope) => !covering.has(scope));
}

describe('every route says which scope it needs', () => {
  test('a key that may do nothing there is refused on each, and is told what it lacks', async () => {
    const things = await makeAll();
    const { apiKey } = await newKey(t, ['collection:none:read']);
    expect(guarded().length).toBeGreaterThan(80);
    for (const route of guarded()) {
      const reply = await call(apiKey, route, things);
      expect({ route, isRefused: isRefused(route, reply) }).toEqual({ route, isRefused: true });
      if (rowOf(route)!.isPage || route.startsWith('HEAD')) continue;
      const { needed } = reply.body.error.details;
      for (const scope of needed) {
        expect(formatScope(parseScope(scope)!)).toBe(scope);
        expect(reply.body.error.message).toContain(`"${scope}"`);
      }
      const areas = needed.map((scope: string) => scope.split(':')[0]).toSorted();
      expect({ route, areas }).toEqual({ route, areas: expect.arrayContaining([areaOf(route)]) });
    }
  });

  test('a key that has exactly what a route needs is let in; one that has everything else is not', async () => {
    const things = await makeAll();
    const bearer = { authorization: `Bearer ${things.person!.token}` };
    const { apiKey: nothing } = await newKey(t, ['collection:none:read']);
    const keys = new Map<string, string>();
    const keyWith = async (scopes: readonly string[]) => {
      const name = scopes.join(' ');
      const key = keys.get(name) ?? (await newKey(t, scopes)).apiKey;
      keys.set(name, key);
      return key;
    };
    for (const route of guarded()) {
      const isPage = rowOf(route)!.isPage;
      const needed = isPage
        ? [methodOf(route) === 'POST' ? 'users:write' : 'users:read']
        : await neededFor(route, things, nothing);
      const asUser = rowOf(route)!.access === 'user' ? bearer : {};
      const enough = await call(await keyWith(needed), route, things, asUser);
      expect({ route, needed, isRefused: isRefused(route, enough) && !isPage }).toEqual({
        route,
        needed,
        isRefused: false,
      });
      // One missing scope is enough, and a user beside the key does not help.
      for (const [at] of needed.entries()) {
        const others = allBut([needed[at]!], things.collection);
        const key = await keyWith(others);
        for (const more of [{}, bearer]) {
          const refused = await call(key, route, things, more);
          expect({ route, others, isRefused: isRefused(route, refused) }).toEqual({
            route,
            others,
            isRefused: true,
          });
        }
      }
    }
    const kept = await t.api.get(`/collections/${things.collection}/${things.id}`);
    expect(kept.body.data.canary).toBe('untouched');
  });

  test('a key with every scope is let in everywhere, like the API key', async () => {
    const things = await makeAll();
    const { apiKey } = await newKey(t, ['*']);
    for (const route of routes()) {
      const reply = await call(apiKey, route, things);
      const same = await call(t.projects[0].apiKey, route, things);
      if (!rowOf(route)!.isPage)
        expect({ route, status: reply.status }).toEqual({ route, status: same.status });
    }
  });

  test('an unknown path is reported as such, whatever the key may do', async () => {
    const { client } = await newKey(t, ['usage:read']);
    expect(await client.get('/nothing')).toFailWith(404, 'route_not_found');
  });
});

/** What a route is about, by its address alone: written down apart from what the routes say. */
function areaOf(route: string): string {
  const path = route.slice(route.indexOf(' ') + 1);
  if (path.startsWith('/auth-collections/templates')) return 'mail';
  if (path.startsWith('/auth-collections')) return 'users';
  if (path.startsWith('/storage')) return 'storage';
  if (path.startsWith('/functions') || path === '/tasks') return 'functions';
  if (/^\/(background-functions|deployments|function-runs|schedules)/.test(path)) return 'deployments';
  if (path === '/usage' || path === '/jobs') return 'usage';
  if (route === 'POST /messages') return 'messages';
  if (path.startsWith('/messages')) return 'mail';
  if (path === '/configuration') return 'configuration';
  if (path.startsWith('/realtime/sse')) return 'collection';
  if (path.startsWith('/realtime')) return 'realtime';
  const isDefinition =
    /^\/collections(\/:collection\/(backlinks|explain|indexes|links|mismatches|shape)\b.*)?$/.test(path) ||
    /^(PATCH|DELETE) \/collections\/:collection$/.test(route);
  return isDefinition ? 'collections' : 'collection';
}
