// @postgres newest
import { beforeAll, expect, test } from 'vitest';
import { allRoutes } from '../../support/calls/live-routes.ts';
import { useTestApp } from '../../support/test-app.ts';
import { rowOf } from '../route-table.ts';
import { Description, type Operation } from './description.ts';

const t = useTestApp();
let description: Description;
let operations: [route: string, operation: Operation][];
beforeAll(async () => {
  description = await Description.read(t.anonymous);
  operations = description.operations();
});

/** What is for people, not for programs, and what browsers and the router do by themselves. */
const isOther = (route: string) =>
  /^(?:GET \/|GET \/docs(?:\/\*)?|GET \/openapi\.json)$/.test(route) ||
  /^(?:OPTIONS|HEAD) /.test(route) ||
  // One of the methods and paths of a function stands for all.
  (/^\w+ \/functions\/:name/.test(route) && route !== 'POST /functions/:name') ||
  rowOf(route)?.isPage === true;

const words = (text: string) => text.split(/\s+/).length;
const faults = (find: (operation: Operation, route: string) => string[]) =>
  operations.flatMap(([route, operation]) => find(operation, route).map((fault) => `${route}: ${fault}`));

test('every route that programs call is in the document', () => {
  const described = new Set(operations.map(([route]) => route));
  expect(described.size).toBeGreaterThan(75);
  expect(allRoutes(t.app).filter((route) => !isOther(route) && !described.has(route))).toEqual([]);
});

test('every operation has a name of its own, a described tag, a summary and a description', () => {
  const names = operations.map(([, { operationId }]) => operationId);
  expect(new Set(names).size).toBe(names.length);
  const tags = description.document.tags;
  expect(tags.filter((tag) => words(tag.description) < 3)).toEqual([]);
  const known = new Set(tags.map(({ name }) => name));
  expect(
    faults(({ tags, summary, description }) => [
      ...tags.filter((tag) => !known.has(tag)),
      ...(/^[A-Z]/.test(summary) && !summary.endsWith('.') && words(summary) < 13 ? [] : [summary]),
      ...(/^[A-Z`].*[.|]$/s.test(description) && words(description) >= 8 ? [] : [description]),
    ]),
  ).toEqual([]);
  const used = new Set(operations.flatMap(([, { tags }]) => tags));
  expect(tags.filter(({ name }) => !used.has(name))).toEqual([]);
});

test('every parameter has a description', () => {
  expect(
    faults(({ parameters }) =>
      parameters.filter(({ description = '' }) => words(description) < 2).map(({ name }) => name),
    ),
  ).toEqual([]);
});

test('every field of a body has a description', () => {
  const missing = faults(({ requestBody }) =>
    Object.values(requestBody?.content ?? {}).flatMap(({ schema }) =>
      Object.entries(schema.properties ?? {})
        .filter(([, part]) => part.description === undefined && !part.$ref && part.type !== 'object')
        .map(([name]) => name),
    ),
  );
  expect(missing).toEqual([]);
});

test('every body and every answer has an example that fits its schema', () => {
  const media = (operation: Operation) => [
    ...Object.values(operation.requestBody?.content ?? {}),
    ...Object.entries(operation.responses)
      .filter(([status]) => Number(status) < 300)
      .flatMap(([, { content = {} }]) => Object.values(content)),
  ];
  expect(
    faults((operation) =>
      media(operation).flatMap(({ schema, example }) =>
        example === undefined ? ['no example'] : description.misfits(schema, example),
      ),
    ),
  ).toEqual([]);
});

/** They change nothing. */
const reading = new Set(['POST /collections/:collection/query', 'POST /collections/:collection/explain']);

test('headers are where they count, and nowhere else', () => {
  const taking = (header: string) =>
    operations
      .filter(([, { parameters }]) => parameters.some((one) => one.in === 'header' && one.name === header))
      .map(([route]) => route);
  expect(taking('If-Match')).toEqual([
    'PATCH /collections/:collection/:id',
    'PUT /collections/:collection/:id',
    'DELETE /collections/:collection/:id',
    'PUT /configuration',
  ]);
  expect(taking('Prefer').toSorted()).toEqual([
    'GET /auth-collections/users',
    'GET /collections/:collection',
    'POST /collections/:collection/query',
  ]);
  const enveloped = operations.filter(([, { parameters }]) =>
    parameters.some(({ name }) => name === 'X-Response-Format'),
  );
  expect(taking('Idempotency-Key')).toEqual(
    enveloped.map(([route]) => route).filter((route) => !route.startsWith('GET ') && !reading.has(route)),
  );
  expect(enveloped.length).toBeGreaterThan(60);
});
