import type { ServiceAddress } from '../call-service.ts';
import { findDevProject } from '../dev-environment.ts';
import { CommandError, UsageError } from '../usage.ts';
import { bearer, currentDeployment, tokenFor } from './logins.ts';

/** The origin of a deployment, as somebody typed its address. */
export function originOf(text: string): string {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (!url || !/^https?:$/.test(url.protocol))
    throw new UsageError(`"${text}" is not the address of a deployment, such as https://api.example.com.`);
  const isHere = /^(localhost|127\.0\.0\.1|\[::1\])$/.test(url.hostname);
  if (url.protocol === 'http:' && !isHere)
    throw new CommandError('Over plain http, anyone on the network could read your token. Use https.');
  return url.origin;
}

/** The management of a deployment, for whoever is logged in there. */
async function deploymentAt(origin: string, environment: NodeJS.ProcessEnv): Promise<ServiceAddress> {
  const token = await tokenFor(origin, environment);
  if (token === undefined)
    throw new CommandError(`You are not logged in to ${origin}. Run: plinth login ${origin}`);
  return { url: `${origin}/management`, credential: bearer(token) };
}

interface Wish {
  /** What was given as `--url`. */
  readonly url: string | undefined;
  /** What was given as `--data-dir`. */
  readonly folder: string | undefined;
}

/**
 * The deployment that `plinth project` speaks to over HTTP: the one that was named; else, where there is neither a
 * DATABASE_URL nor a `plinth dev`, the one that was logged in to last. Undefined: it works on the database.
 */
export async function findDeployment(
  environment: NodeJS.ProcessEnv,
  { url, folder }: Wish,
): Promise<ServiceAddress | undefined> {
  if (url !== undefined) return deploymentAt(originOf(url), environment);
  if (folder !== undefined || environment.DATABASE_URL || (await findDevProject())) return undefined;
  const current = await currentDeployment(environment);
  return current === undefined ? undefined : deploymentAt(current, environment);
}
