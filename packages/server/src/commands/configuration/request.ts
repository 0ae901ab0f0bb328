import { parseArgs } from 'node:util';
import type { ServiceAddress } from '../call-service.ts';
import { addressOptions, findAddress } from '../project-address.ts';
import { UsageError } from '../usage.ts';

interface Request {
  readonly address: ServiceAddress;
  /** The folder or file. */
  readonly path: string;
  readonly isSure: boolean;
}

/** Reads what was given to `pull`, `diff`, `push` or `test`. */
export async function readRequest(
  environment: NodeJS.ProcessEnv,
  args: string[],
  { dataDir, path, takesYes = false }: { dataDir: string | undefined; path: string; takesYes?: boolean },
): Promise<Request> {
  const { values, positionals } = parseArgs({
    args,
    allowPositionals: true,
    options: { ...addressOptions, ...(takesYes && { yes: { type: 'boolean' } as const }) },
  });
  if (positionals.length > 1)
    throw new UsageError(`One folder or file at a time: "${positionals[1]}" is one too many.`);
  const { url, key } = values;
  return {
    address: await findAddress({ url, key }, environment, dataDir),
    path: positionals[0] ?? path,
    isSure: 'yes' in values && values.yes === true,
  };
}
