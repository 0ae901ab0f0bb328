// @postgres newest
import { randomUUID } from 'node:crypto';
import { Redis } from 'ioredis';
import { pino } from 'pino';
import { afterAll, describe, expect, inject, test } from 'vitest';
import type { ChangeStream, Entry } from '../../../src/platform/change-feed/change-stream.ts';
import { MemoryStream } from '../../../src/platform/change-feed/memory-stream.ts';
import { origin, type Position, positionOf } from '../../../src/platform/change-feed/position.ts';
import { RedisStream } from '../../../src/platform/change-feed/redis-stream.ts';
import { isMissing } from '../../support/is-missing.ts';

const mostBytes = 200_000;
const silentLog = pino({ level: 'silent' });
const kinds: [string, () => ChangeStream][] = [
  ['in memory', () => new MemoryStream(mostBytes)],
  ...(isMissing('redis')
    ? []
    : [
        ['in Redis', () => new RedisStream(inject('redisUrl'), mostBytes, silentLog)] as [
          string,
          () => ChangeStream,
        ],
      ]),
];

/** Writes changes of projects, one after the other. */
class Writer {
  readonly epoch = randomUUID();
  readonly stream: ChangeStream;
  last: Position = origin;
  #lsn = 1000n;

  constructor(stream: ChangeStream) {
    this.stream = stream;
  }

  async begin(): Promise<Position> {
    this.last = await this.stream.begin(this.epoch, this.#lsn);
    return this.last;
  }

  async write(project: string, length = 100): Promise<Entry> {
    this.#lsn += 10n;
    const position = positionOf(this.#lsn, 1);
    const fields = { kind: 'document', project, text: 'x'.repeat(length) };
    const entry = { position, previous: this.last, xid: Number(this.#lsn), project, fields };
    expect(await this.stream.append(this.epoch, [entry])).toBeDefined();
    this.last = position;
    return entry;
  }

  history(project: string, after: Position) {
    return this.stream.history(this.epoch, { project, after, upTo: this.last, most: 10_000 });
  }
}

describe.each(kinds)('the change stream %s', (_, open) => {
  const stream = open();
  afterAll(() => stream.close());
  const started = async () => {
    const writer = new Writer(stream);
    return { writer, start: await writer.begin() };
  };

  test('gives each project its own changes, and word of all to whoever reads on', async () => {
    const { writer, start } = await started();
    const a1 = await writer.write('a');
    const b1 = await writer.write('b');
    const a2 = await writer.write('a');
    expect(await writer.history('a', start)).toEqual([a1, a2]);
    expect(await writer.history('a', a1.position)).toEqual([a2]);
    expect(await writer.history('b', b1.position)).toEqual([]);
    expect(await writer.history('c', start)).toEqual([]);
    const read = await stream.read(writer.epoch, start, {
      most: 10,
      waitMs: 1,
      wanted: (one) => (one === 'a' ? 10 : 0),
    });
    expect(read).toMatchObject([a1, { position: b1.position, project: 'b' }, a2]);
    expect(
      await stream.history(randomUUID(), { project: 'a', after: start, upTo: writer.last, most: 1 }),
    ).toBe('gone');
  });

  test('21: is bounded by bytes, and the project that has most gives way', async () => {
    const { writer, start } = await started();
    const small = [await writer.write('small'), await writer.write('small')];
    for (let n = 0; n < 100; n += 1) await writer.write('large', 10_000);
    expect(await writer.history('small', start)).toEqual(small);
    expect(await writer.history('large', start)).toBe('gone');
    // Of what is left, everything is there.
    const kept = await stream.history(writer.epoch, {
      project: 'large',
      after: positionOf(1000n + 99n * 10n, 1),
      upTo: writer.last,
      most: 99,
    });
    expect(kept).toHaveLength(3);
    // Two that are equally large each keep about half.
    for (let n = 0; n < 100; n += 1) await writer.write('other', 10_000);
    const since = async (project: string, changes: number) =>
      writer.history(project, positionOf(1000n + 20n + BigInt(changes) * 10n, 1));
    expect(await since('other', 195)).toHaveLength(5);
    expect(await since('large', 95)).toHaveLength(5);
    expect(await writer.history('small', start)).toEqual(small);
  });

  test('what was dropped while it was still news is told of without its content', async () => {
    const { writer, start } = await started();
    for (let n = 0; n < 50; n += 1) await writer.write('large', 10_000);
    const read = await stream.read(writer.epoch, start, { most: 100, waitMs: 1, wanted: () => 100 });
    const all = read === 'gone' ? [] : read;
    expect(all).toHaveLength(50);
    const whole = all.filter((one) => 'fields' in one);
    expect(whole.length).toBeGreaterThan(5);
    expect(whole.length).toBeLessThan(25);
  });

  test('a change that is written again, as after a take-over, is there once', async () => {
    const { writer, start } = await started();
    const entry = await writer.write('a');
    if (stream instanceof RedisStream) await stream.append(writer.epoch, [entry]);
    expect(await writer.history('a', start)).toEqual([entry]);
  });
});

test.skipIf(isMissing('redis'))(
  '21: Redis itself has no more than that, and lets a former epoch go',
  async () => {
    const stream = new RedisStream(inject('redisUrl'), mostBytes, silentLog);
    const redis = new Redis(inject('redisUrl'));
    const writer = new Writer(stream);
    await writer.begin();
    for (let n = 0; n < 300; n += 1) await writer.write(`p${n % 7}`, 3000);
    const keys = await redis.keys(`plinth:changes:${writer.epoch}*`);
    const sizes = await Promise.all(keys.map((key) => redis.memory('USAGE', key, 'SAMPLES', 0)));
    expect(sizes.reduce<number>((sum, size) => sum + Number(size), 0)).toBeLessThan(2 * mostBytes);
    await stream.begin(randomUUID(), 9000n, writer.epoch);
    expect(await redis.exists(...keys)).toBe(0);
    redis.disconnect();
    await stream.close();
  },
);

test.skipIf(isMissing('redis'))('in Redis, only what is followed is to be written', async () => {
  const stream = new RedisStream(inject('redisUrl'), mostBytes, silentLog);
  const redis = new Redis(inject('redisUrl'));
  const writer = new Writer(stream);
  const start = await writer.begin();
  const { epoch } = writer;
  expect(await stream.follow(epoch, ['a'])).toEqual(new Map([['a', { isNew: true, floor: origin }]]));
  const [first, second] = [positionOf(5000n, 1), positionOf(20_000n, 3)];
  expect(await stream.choose(epoch, ['a', 'b'], first)).toEqual(new Set(['a']));
  expect(await stream.choose(epoch, ['b'], second)).toEqual(new Set());
  // One that was late adds nothing to what is known.
  expect(await stream.choose(epoch, ['b'], first)).toEqual(new Set());
  expect(await stream.reach(epoch)).toBe(second);
  expect(await stream.last(epoch)).toBe(start);
  const late = await stream.follow(epoch, ['a', 'b']);
  expect(late?.get('a')).toEqual({ isNew: false, floor: origin });
  expect(late?.get('b')).toEqual({ isNew: true, floor: second });
  expect(await writer.history('a', start)).toEqual([]);
  expect(await writer.history('b', start)).toBe('gone');
  expect(await stream.choose(epoch, ['b'], positionOf(30_000n, 1))).toEqual(new Set(['b']));
  // Whoever has not said so for long follows no more.
  await redis.zadd(`plinth:changes:${epoch}:followed`, 1, 'a');
  expect(await stream.choose(epoch, ['a'], positionOf(40_000n, 1))).toEqual(new Set());
  expect((await stream.follow(epoch, ['a']))?.get('a')).toEqual({
    isNew: true,
    floor: positionOf(40_000n, 1),
  });
  await redis.del(`plinth:changes:${epoch}`);
  expect(await stream.choose(epoch, ['a'], second)).toBeUndefined();
  expect(await stream.follow(epoch, ['a'])).toBeUndefined();
  redis.disconnect();
  await stream.close();
});
