// @postgres newest
import fc from 'fast-check';
import { pino } from 'pino';
import { describe, expect, inject, test } from 'vitest';
import { type Caller, countCall, invalidCredentials } from '../../../src/calls/gate/index.ts';
import type { Principal, Project } from '../../../src/calls/index.ts';
import { BusyCounter } from '../../../src/platform/counters/busy-counter.ts';
import { MemoryCounter } from '../../../src/platform/counters/memory-counter.ts';
import { RedisCounter } from '../../../src/platform/counters/redis-counter.ts';
import { windowAt } from '../../../src/platform/counters/window-clock.ts';
import type { WindowCounter } from '../../../src/platform/counters/window-counter.ts';
import { roomInWindow } from '../../support/calls/rate-window.ts';
import { isMissing } from '../../support/is-missing.ts';

interface Call {
  readonly who: 'key' | 'user' | 'stranger' | 'refused';
  /** Which user or which network. */
  readonly number: number;
}

const addressLimit = 70;

/** Remembers every call that was let in, and counts them all anew for each call. */
class Ledger {
  readonly #limit: number;
  readonly #passed: Call[] = [];

  constructor(limit: number) {
    this.#limit = limit;
  }

  admits(call: Call): boolean {
    const { who, number } = call;
    const limit = this.#limit;
    const ofProject = this.#passed.filter((one) => one.who !== 'refused');
    const ofApp = ofProject.filter((one) => one.who !== 'key');
    const ofSame = this.#passed.filter((one) => one.who === who && one.number === number).length;
    const strangers = ofApp.filter((one) => one.who === 'stranger').length;
    const atAddress = this.#passed.filter(
      (one) => one.number === number && (one.who === 'stranger' || one.who === 'refused'),
    ).length;
    const hasRoom = ofProject.length < limit;
    const appHasRoom = hasRoom && ofApp.length < atLeast(1, limit * 0.75);
    const admitted = {
      key: hasRoom,
      user: appHasRoom && ofSame < atLeast(Math.min(limit, 40), limit * 0.25),
      stranger:
        appHasRoom &&
        strangers < atLeast(1, limit * 0.5) &&
        ofSame < atLeast(Math.min(limit, 20), limit * 0.25) &&
        atAddress < addressLimit,
      refused: atAddress < addressLimit,
    }[who];
    if (admitted) this.#passed.push(call);
    return admitted;
  }
}

const atLeast = (least: number, part: number) => Math.max(least, Math.floor(part));

const principals: Record<Call['who'], (number: number) => Principal> = {
  key: () => ({ isTrusted: true }),
  user: (number) => ({ isTrusted: false, user: { id: `u${number}` } as Principal['user'] & {} }),
  stranger: () => ({ isTrusted: false }),
  refused: () => ({ isTrusted: false }),
};

const redisCounter = () => new RedisCounter(`${inject('redisUrl')}/7`, pino({ level: 'fatal' }));

const counters: [name: string, runs: number, counter: () => WindowCounter][] = [
  ['in one process', 200, () => new MemoryCounter()],
  ['by processes that report', 200, () => new BusyCounter(new MemoryCounter())],
  ...(isMissing('redis')
    ? []
    : ([
        ['on Redis', 40, redisCounter],
        ['on Redis, by nodes that report', 40, () => new BusyCounter(redisCounter())],
      ] satisfies typeof counters)),
];

describe.each(counters)('weakness 3: counted %s', (_name, numRuns, newCounter) => {
  test('every call is let in or refused as by someone who counts all of them anew', async () => {
    const counter = newCounter();
    await counter.connect();
    const who = fc.constantFrom('key', 'user', 'user', 'stranger', 'stranger', 'refused');
    // Long runs of one caller, as of someone who wants everything.
    const runs = fc.array(fc.tuple(who, fc.nat({ max: 2 }), fc.nat({ max: 60 })), { maxLength: 8 });
    const limits = fc.oneof(fc.constantFrom(1, 2, 60, 100), fc.integer({ min: 1, max: 200 }));
    let world = 0;
    await fc.assert(
      fc.asyncProperty(limits, runs, async (limit, runs) => {
        await roomInWindow(2000);
        await expect.poll(() => counter.hitStrictly('ready')).toBeDefined();
        const { number: minute } = windowAt(Date.now());
        world += 1;
        const id = `${process.pid}-${Date.now()}-${world}`;
        const project = { id, limits: { callsPerMinute: limit } } as Project;
        const ledger = new Ledger(limit);
        const outcomes: unknown[] = [];
        const expected: unknown[] = [];
        for (const [who, number, calls] of runs) {
          const failure = who === 'refused' ? { failure: invalidCredentials() } : {};
          const caller: Caller = { project, principal: principals[who](number), ...failure };
          for (let call = 0; call < calls; call += 1) {
            const calledAt = performance.now();
            const { full } = await countCall(counter, caller, { address: `${id}-${number}`, addressLimit });
            // A node does not wait for a slow Redis, and counts alone for a moment.
            fc.pre(performance.now() - calledAt < 200);
            // What was counted is over with its minute.
            fc.pre(windowAt(Date.now()).number === minute);
            outcomes.push({ who, number, call, admitted: full === undefined });
            expected.push({ who, number, call, admitted: ledger.admits({ who, number }) });
          }
        }
        expect(outcomes).toEqual(expected);
      }),
      { numRuns },
    );
    await counter.close();
  });
});
