import { runAll } from '../suite/all.ts';
import type { Stage } from '../suite/check.ts';

declare const process: { readonly argv: readonly string[]; exit(code: number): never };

/** Runs the suite in whichever runtime this is, and prints how it went. */
export async function runSuite(webSocket?: Stage['webSocket']): Promise<void> {
  const [url = '', apiKey = ''] = process.argv.slice(2);
  const { passed, failed } = await runAll({ url, apiKey, ...(webSocket && { webSocket }) });
  console.log(JSON.stringify({ passed, failed }));
  process.exit(0);
}
