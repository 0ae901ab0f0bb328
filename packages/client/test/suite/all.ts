import type { Check, Stage } from './check.ts';
import { documents } from './documents.ts';
import { files } from './files.ts';
import { live } from './live.ts';
import { serverSide } from './server-side.ts';
import { signIn } from './sign-in.ts';

/** Every check that a runtime must pass. */
export const checksFor = ({ apiKey }: Pick<Stage, 'apiKey'>): Record<string, Check> => ({
  ...documents,
  ...signIn,
  ...files,
  ...live,
  ...(apiKey === undefined ? {} : serverSide),
});

/** Runs them one after the other: what failed, and why. */
export async function runAll(stage: Stage): Promise<{ passed: number; failed: string[] }> {
  const failed: string[] = [];
  let passed = 0;
  for (const [name, check] of Object.entries(checksFor(stage))) {
    try {
      await check(stage);
      passed += 1;
    } catch (error) {
      failed.push(`${name}: ${(error as Error).stack ?? String(error)}`);
    }
  }
  return { passed, failed };
}
