import type { ServiceAddress } from './call-service.ts';
import { findDevProject } from './dev-environment.ts';
import { bearer, tokenFor } from './remote/logins.ts';
import { CommandError, UsageError } from './usage.ts';

/** What commands that speak to a project over HTTP take, for `parseArgs`. */
export const addressOptions = { url: { type: 'string' }, key: { type: 'string' } } as const;

interface Given {
  readonly url?: string | undefined;
  readonly key?: string | undefined;
}

/**
 * The project that a command speaks to: that of its options, of the environment, or of the `plinth dev` that runs with its
 * data in the folder. It calls with an API key, or as the account that is logged in there.
 */
export async function findAddress(
  given: Given,
  environment: NodeJS.ProcessEnv,
  folder: string | undefined,
): Promise<ServiceAddress> {
  const url = (given.url ?? environment.PLINTH_URL)?.replace(/\/+$/, '');
  const apiKey = given.key ?? environment.PLINTH_API_KEY;
  if (url !== undefined) {
    if (apiKey !== undefined) return withKey(url, apiKey);
    return asAccount(url, environment);
  }
  if (apiKey !== undefined)
    throw new UsageError('Also pass the project’s address: --url https://…/p/<ref> (or PLINTH_URL).');
  const found = await findDevProject(folder);
  if (found) return withKey(found.url, found.apiKey);
  throw new UsageError('No plinth dev is running in this folder: pass --url and --key of the project.');
}

const withKey = (url: string, apiKey: string): ServiceAddress => ({
  url,
  credential: { 'X-API-Key': apiKey },
});

/** The project as whoever is logged in may use it. */
async function asAccount(url: string, environment: NodeJS.ProcessEnv): Promise<ServiceAddress> {
  const { origin, pathname } = URL.canParse(url) ? new URL(url) : { origin: '', pathname: '' };
  const ref = /^\/p\/([a-z0-9]{12})$/.exec(pathname)?.[1];
  if (ref === undefined)
    throw new UsageError(`"${url}" is not the address of a project, such as https://…/p/<ref>.`);
  const token = await tokenFor(origin, environment);
  if (token === undefined)
    throw new CommandError(
      `Pass the project’s API key (--key or PLINTH_API_KEY), or run: plinth login ${origin}`,
    );
  return { url: `${origin}/management/p/${ref}`, credential: bearer(token) };
}
