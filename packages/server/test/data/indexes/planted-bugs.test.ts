// @postgres newest
import fc from 'fast-check';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import type * as Branches from '../../../src/features/data/query/branches.ts';
import type * as ValueTests from '../../../src/features/data/query/compile-value-test.ts';
import type * as Scalars from '../../../src/features/data/query/scalars.ts';
import type * as Splits from '../../../src/features/data/query/split-by-index.ts';
import {
  checkList,
  checkPages,
  type IndexedRound,
  newRound,
  pagesAbout,
  queriesAbout,
  TwinsDiffer,
} from '../../support/indexes/one-meaning.ts';
import { TwinStage } from '../../support/indexes/twins.ts';
import { seed } from '../../support/query/rounds.ts';
import { type Planted, plantedBugs } from './planted-bugs.ts';

const now: { planted: Planted } = vi.hoisted(() => {
  // Files share what they load: here it is loaded anew, with places where bugs can be planted.
  vi.resetModules();
  return { planted: {} };
});
afterAll(() => vi.resetModules());

vi.mock('../../../src/features/data/query/scalars.ts', async (original) => {
  const real = await original<typeof Scalars>();
  return {
    ...real,
    cutKey: (value: Parameters<typeof real.cutKey>[0]) => (now.planted.cutKey ?? real.cutKey)(value),
    isLong: (value: unknown) => (now.planted.isLong ?? real.isLong)(value),
  };
});
vi.mock('../../../src/features/data/query/compile-value-test.ts', async (original) => {
  const real = await original<typeof ValueTests>();
  return {
    ...real,
    compileValueTest: (...asked: Parameters<typeof real.compileValueTest>) => {
      const [target] = asked;
      const compiled = real.compileValueTest(...asked);
      const isIndexed = target.kind === 'json' && target.indexed !== undefined;
      return isIndexed && now.planted.test ? now.planted.test(compiled, ...asked) : compiled;
    },
  };
});
vi.mock('../../../src/features/data/query/branches.ts', async (original) => {
  const real = await original<typeof Branches>();
  return {
    ...real,
    branchesOf: (...asked: Parameters<typeof real.branchesOf>) => {
      const branches = real.branchesOf(...asked);
      return branches.length > 1 && now.planted.branches ? now.planted.branches(branches) : branches;
    },
  };
});
vi.mock('../../../src/features/data/query/split-by-index.ts', async (original) => {
  const real = await original<typeof Splits>();
  return {
    ...real,
    splitByIndex: (...asked: Parameters<typeof real.splitByIndex>) => {
      const parts = real.splitByIndex(...asked);
      return parts && now.planted.parts ? now.planted.parts(parts) : parts;
    },
  };
});

let stage: TwinStage;
beforeAll(async () => {
  stage = await TwinStage.open();
});
afterAll(() => stage[Symbol.asyncDispose]());

const rounds: IndexedRound[] = [];
const caughtAfter: Record<string, number> = {};
afterAll(() => console.log('caught after how many queries:', caughtAfter));

/** Runs the properties as the real run does, at most three times as long, and stops where one fails. */
async function firstFailure(bug: string): Promise<unknown> {
  const { statement } = plantedBugs[bug]!;
  for (let round = 0; round < 30; round += 1) {
    // What the database holds was made by its functions.
    const made = statement
      ? await newRound(stage, `planted-${Object.keys(plantedBugs).indexOf(bug)}-${round}`, {
          round,
          count: 60,
        })
      : (rounds[round] ??= await newRound(stage, `round-${round}`, { round, count: 60 }));
    now.planted = plantedBugs[bug]!;
    const lists = fc.asyncProperty(queriesAbout(made), async (asked) => {
      caughtAfter[bug] = (caughtAfter[bug] ?? 0) + 1;
      await checkList(stage, made.twins, asked);
    });
    const pages = fc.asyncProperty(pagesAbout(made), (asked) => checkPages(stage, made.twins, asked));
    for (const [property, numRuns] of [
      [lists, 100],
      [pages, 20],
    ] as const) {
      const run = await fc.check(property, { seed: seed + round, numRuns, endOnFailure: true });
      if (run.failed) return run.errorInstance;
    }
  }
  return undefined;
}

test('without a bug there is nothing to catch', async () => {
  const made = (rounds[0] ??= await newRound(stage, 'round-0', { round: 0, count: 60 }));
  const property = fc.asyncProperty(queriesAbout(made), async (asked) => {
    await checkList(stage, made.twins, asked);
  });
  await fc.assert(property, { seed, numRuns: 50 });
});

test.each(Object.keys(plantedBugs))(
  'the check catches a compiler where %s',
  async (bug) => {
    const restore = await stage.replaceFunction(plantedBugs[bug]!.statement);
    try {
      expect(await firstFailure(bug)).toBeInstanceOf(TwinsDiffer);
    } finally {
      now.planted = {};
      await restore();
    }
  },
  300_000,
);
