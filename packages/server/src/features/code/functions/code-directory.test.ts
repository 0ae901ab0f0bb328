import { expect, test } from 'vitest';
import type { Cells } from '../../../platform/db/cells.ts';
import type { InvalidationListener } from '../../../platform/invalidation/invalidation-listener.ts';
import { CodeDirectory, keyOf } from './code-directory.ts';
import type { FunctionRecord } from './function-record.ts';

const hook = (name: string, event: string, collection?: string): FunctionRecord => ({
  name,
  file: `${name}.js`,
  kind: 'hook',
  event,
  ...(collection !== undefined && { collection }),
  options: {},
  loadMs: 0,
});

/** A directory over one cell that holds what `functions` has, and counts how often it is asked. */
function directoryOver(stored: { functions?: readonly FunctionRecord[] }) {
  let asked = 0;
  const query = async () => {
    asked += 1;
    return stored.functions ? [{ version: 1, digest: 'x', functions: stored.functions }] : [];
  };
  const heard: ((key: string) => void)[] = [];
  const cells = { lookups: () => ({ query }) } as unknown as Cells;
  const listener = {
    isCurrent: true,
    onTopic: (_topic: string, hear: (key: string) => void) => heard.push(hear),
    onGap: () => {},
  } as unknown as InvalidationListener;
  const directory = new CodeDirectory(cells, new Map([[1, listener]]));
  return {
    active: () => directory.active({ id: '7', cell: 1 }),
    asked: () => asked,
    tell: () => heard.forEach((hear) => hear('7')),
  };
}

test('that a project has no code is remembered until it deploys some', async () => {
  const stored: { functions?: readonly FunctionRecord[] } = {};
  const directory = directoryOver(stored);
  for (let call = 0; call < 3; call += 1) expect(await directory.active()).toBeUndefined();
  expect(directory.asked()).toBe(1);
  stored.functions = [hook('a', 'post_create', 'posts')];
  directory.tell();
  expect((await directory.active())?.functions.has('a')).toBe(true);
  expect((await directory.active())?.before).toBeUndefined();
  expect(directory.asked()).toBe(2);
});

test('hooks before a write are found by their event, in the order of their names', async () => {
  const functions = [
    hook('b', 'pre_create', 'posts'),
    hook('c', 'pre_login'),
    hook('a', 'pre_create', 'posts'),
    hook('d', 'pre_create', 'users'),
  ];
  const before = (await directoryOver({ functions }).active())?.before;
  const namesOf = (event: string, collection?: string) =>
    before?.get(keyOf({ event, collection }))?.map(({ name }) => name);
  expect(namesOf('pre_create', 'posts')).toEqual(['a', 'b']);
  expect(namesOf('pre_create', 'users')).toEqual(['d']);
  expect(namesOf('pre_login')).toEqual(['c']);
  expect(namesOf('pre_update', 'posts')).toBeUndefined();
});
