// @postgres newest
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { ProjectRoutes } from '../../src/calls/index.ts';
import { addLinkRoutes } from '../../src/features/data/links/index.ts';
import {
  addAppUserRoutes,
  addIdentityRoutes,
  addMailTemplateRoutes,
  addPasskeyRoutes,
  addPasswordRoutes,
  addSessionRoutes,
  addSignInFlowRoutes,
} from '../../src/features/people/index.ts';
import { liveRoutes } from '../support/calls/live-routes.ts';
import { Client } from '../support/client.ts';
import { type TestApp, testApp } from '../support/test-app.ts';
import { makeThingsFor, methodOf, pathOf, rowOf } from './route-table.ts';

let t: TestApp;
beforeAll(async () => {
  t = await testApp();
});
afterAll(() => t[Symbol.asyncDispose]());

/** The live routes that answer with JSON about users. */
const jsonRoutes = () =>
  liveRoutes(t.app).filter(
    (route) => / \/auth-collections\b/.test(route) && !route.startsWith('HEAD') && !rowOf(route)?.isPage,
  );

test('every route about users says that its answers are secret', () => {
  const secret = new Map<string, boolean | undefined>();
  const routes: ProjectRoutes = {
    add: ({ method, url, isSecret }) => void secret.set(`${method} ${url}`, isSecret),
    addRaw: () => undefined,
    addPage: () => undefined,
  };
  // Nothing is called, so nothing is needed.
  const nothing = {} as never;
  for (const addRoutes of [
    addAppUserRoutes,
    addSignInFlowRoutes,
    addIdentityRoutes,
    addLinkRoutes,
    addMailTemplateRoutes,
    addPasskeyRoutes,
    addPasswordRoutes,
    addSessionRoutes,
  ])
    addRoutes(routes, nothing);
  expect(jsonRoutes().length).toBeGreaterThan(30);
  expect(jsonRoutes().filter((route) => secret.get(route) !== true)).toEqual([]);
});

test('no answer about users may be stored on its way', async () => {
  const answered: string[] = [];
  for (const route of jsonRoutes()) {
    const row = rowOf(route)!;
    if (row.status >= 300) continue;
    const things = await makeThingsFor(t, route);
    const client = new Client(`${t.url}/p/${t.projects[0].ref}`, {
      ...(row.access === 'server' && { 'x-api-key': t.projects[0].apiKey }),
      ...(row.access === 'user' && { authorization: `Bearer ${things.person!.token}` }),
    });
    const reply = await client.call(methodOf(route), pathOf(route, things), row.body?.(things));
    expect({ route, status: reply.status }).toEqual({ route, status: row.status });
    expect({ route, stored: reply.headers.get('cache-control') }).toEqual({ route, stored: 'no-store' });
    answered.push(route);
  }
  expect(answered.length).toBeGreaterThan(15);
});
