import { parseArgs } from 'node:util';
import type { ServiceAddress } from '../call-service.ts';
import { addressOptions, findAddress } from '../project-address.ts';
import { UsageError } from '../usage.ts';

interface Request {
  readonly address: ServiceAddress;
  /** The folder or file. */
  readonly path: string;
  readonly isSure: boolean;
  /** Whether the folder of functions counts. */
  readonly withFunctions: boolean;
}

/** What a command takes. */
interface Taken {
  readonly dataDir: string | undefined;
  /** The folder or file, if none is named. */
  readonly path: string;
  readonly takesYes?: boolean;
  readonly takesFunctions?: boolean;
}

/** Reads what was given to `pull`, `diff`, `push` or `test`. */
export async function readRequest(
  environment: NodeJS.ProcessEnv,
  args: string[],
  { dataDir, path, takesYes = false, takesFunctions = false }: Taken,
): Promise<Request> {
  const { values, positionals } = parseArgs({
    args,
    allowPositionals: true,
    options: {
      ...addressOptions,
      ...(takesYes && { yes: { type: 'boolean' } as const }),
      ...(takesFunctions && { 'no-functions': { type: 'boolean' } as const }),
    },
  });
  if (positionals.length > 1)
    throw new UsageError(`Pass only one folder or file: "${positionals[1]}" is one too many.`);
  const { url, key } = values;
  return {
    address: await findAddress({ url, key }, environment, dataDir),
    path: positionals[0] ?? path,
    isSure: 'yes' in values && values.yes === true,
    withFunctions: !('no-functions' in values && values['no-functions'] === true),
  };
}
