import { expect, test } from 'vitest';
import { Turns } from './turns.ts';

/** Work that ends when it is told to. */
function job() {
  const { promise, resolve } = Promise.withResolvers<void>();
  return { end: resolve, work: () => promise };
}

const soon = () => new Promise<void>((resolve) => setImmediate(resolve));

test('one who asks for all places leaves one, and waits behind whoever comes later and asks for one', async () => {
  const turns = new Turns(3);
  const begun: string[] = [];
  const ends: (() => void)[] = [];
  const ask = (asker: string) => {
    const { end, work } = job();
    return turns.run(asker, 60_000, () => {
      begun.push(asker);
      ends.push(end);
      return work();
    });
  };
  const all = [ask('many'), ask('many'), ask('many'), ask('many'), ask('few'), ask('other')];
  await soon();
  expect(begun).toEqual(['many', 'many', 'few']);
  ends[0]!();
  await soon();
  expect(begun).toEqual(['many', 'many', 'few', 'many']);
  ends[1]!();
  await soon();
  expect(begun.at(-1)).toBe('other');
  for (let at = 2; at < 6; at += 1) {
    ends[at]!();
    await soon();
  }
  await Promise.all(all);
  expect(begun).toHaveLength(6);
});

test('whoever waits too long is told so, and takes nobody’s place', async () => {
  const turns = new Turns(1);
  const first = job();
  const running = turns.run('one', 60_000, first.work);
  const late = await turns.run('two', 5, () => Promise.resolve('done'));
  expect(late).toBeUndefined();
  first.end();
  await running;
  expect(await turns.run('two', 5, () => Promise.resolve('done'))).toBe('done');
});

test('a place is free again after work that failed', async () => {
  const turns = new Turns(1);
  await expect(turns.run('one', 5, () => Promise.reject(new Error('no')))).rejects.toThrow('no');
  expect(await turns.run('one', 5, () => Promise.resolve('done'))).toBe('done');
});
