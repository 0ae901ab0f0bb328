import { afterAll, beforeAll, describe, test } from 'vitest';
import { checksFor } from './suite/all.ts';
import { type OpenStage, openStage } from './suite/stage.ts';

describe('on this Node', () => {
  let open: OpenStage;
  beforeAll(async () => {
    open = await openStage();
  });
  afterAll(() => open[Symbol.asyncDispose]());

  for (const [name, check] of Object.entries(checksFor({ apiKey: '' }))) test(name, () => check(open.stage));
});
