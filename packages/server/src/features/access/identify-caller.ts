import type { Cells } from '../../platform/db/cells.ts';
import type { AppError } from '../../platform/errors.ts';
import { isApiKey } from '../../platform/secrets.ts';
import { authenticate, claimedProject, type Tokens } from '../app-users/index.ts';
import type { Principal, Project, ProjectDirectory } from '../projects/index.ts';
import { invalidCredentials, projectUnknown } from './errors.ts';

/** What is known of a call before anything is done for it. */
export interface Caller {
  readonly project?: Project;
  readonly principal: Principal;
  /** Why the call cannot go on, if it cannot. */
  readonly failure?: AppError;
}

export interface Credentials {
  readonly apiKey?: string;
  readonly token?: string;
  /** A credential was sent, but of no form there is. */
  readonly isMalformed: boolean;
}

/** The API key in either header, and the token of an app user; both may be sent at once. */
export function readCredentials(
  headers: Readonly<Record<string, string | string[] | undefined>>,
): Credentials {
  const keyHeader = headers['x-api-key'];
  const bearer = /^bearer +(\S+)$/i.exec(String(headers.authorization ?? ''))?.[1];
  const isKey = bearer !== undefined && isApiKey(bearer);
  // Two keys that differ are a mistake, not a choice.
  const differ = isKey && keyHeader !== undefined && keyHeader !== bearer;
  const isMalformed = (headers.authorization !== undefined && bearer === undefined) || differ;
  const apiKey = typeof keyHeader === 'string' ? keyHeader : isKey ? bearer : undefined;
  return {
    ...(apiKey !== undefined && { apiKey }),
    ...(bearer !== undefined && !isKey && { token: bearer }),
    isMalformed,
  };
}

export interface CallerServices {
  readonly directory: ProjectDirectory;
  readonly tokens: Tokens;
  readonly cells: Cells;
}

const anonymous: Principal = { isTrusted: false };
const refused: Caller = { principal: anonymous };

/** Which project a call is for, and who makes it. */
export async function identifyCaller(
  services: CallerServices,
  { apiKey, token, isMalformed }: Credentials,
  address: { ref: string | undefined; rootRef: string | undefined },
): Promise<Caller> {
  if (isMalformed) return { ...refused, failure: invalidCredentials() };
  const project = await findProject(services, { apiKey, token }, address);
  if (!project) {
    const isGiven = apiKey !== undefined || token !== undefined;
    return { ...refused, failure: isGiven ? invalidCredentials() : projectUnknown() };
  }
  if (token === undefined) return { project, principal: { isTrusted: apiKey !== undefined } };
  const user = await authenticate(services.tokens, project, services.cells.forProject(project), token);
  if (!user) return { ...refused, project, failure: invalidCredentials() };
  return { project, principal: { isTrusted: apiKey !== undefined, user } };
}

/** By key, else by address, else by token, else the root project; a key of another project than the address finds none. */
async function findProject(
  { directory }: CallerServices,
  { apiKey, token }: { apiKey: string | undefined; token: string | undefined },
  { ref, rootRef }: { ref: string | undefined; rootRef: string | undefined },
): Promise<Project | undefined> {
  if (apiKey !== undefined) {
    const project = isApiKey(apiKey) ? await directory.findByApiKey(apiKey) : undefined;
    return ref === undefined || ref === project?.ref ? project : undefined;
  }
  const named = ref ?? (token === undefined ? rootRef : claimedProject(token));
  return named === undefined ? undefined : directory.findByRef(named);
}
