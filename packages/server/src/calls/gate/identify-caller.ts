import { andThen, type NowOrLater } from '../../platform/concurrency/now-or-later.ts';
import { isApiKey } from '../../platform/crypto/secrets.ts';
import type { Vault } from '../../platform/crypto/vault.ts';
import type { AppError } from '../../platform/errors.ts';
import type { Authenticator, Principal } from '../principal.ts';
import type { KeyHolder, Project, ProjectDirectory } from '../project.ts';
import {
  invalidCredentials,
  noBearer,
  noSuchProject,
  noSuchUser,
  projectUnknown,
  tokenAsApiKey,
  tokenExpired,
  twoApiKeys,
} from './errors.ts';
import { isFunctionToken, readFunctionToken } from './function-token.ts';

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
  /** What a function calls with, and the app user whose rights it wants. */
  readonly functionToken?: string;
  readonly as?: string;
  /** What is wrong with the form of what was sent, if anything is. */
  readonly mistake?: AppError;
}

/** The API key in either header, and the token of an app user; both may be sent at once. */
export function readCredentials(
  headers: Readonly<Record<string, string | string[] | undefined>>,
): Credentials {
  const keyHeader = headers['x-api-key'];
  const bearer = /^bearer +(\S+)$/i.exec(String(headers.authorization ?? ''))?.[1];
  if (bearer !== undefined && isFunctionToken(bearer)) {
    const as = headers['x-plinth-as'];
    return { functionToken: bearer, ...(typeof as === 'string' && { as }) };
  }
  const isKey = bearer !== undefined && isApiKey(bearer);
  // Two keys that differ are a mistake, not a choice.
  const differ = isKey && keyHeader !== undefined && keyHeader !== bearer;
  const mistake = differ
    ? twoApiKeys()
    : headers.authorization !== undefined && bearer === undefined
      ? noBearer()
      : typeof keyHeader === 'string' && tokenForm.test(keyHeader)
        ? tokenAsApiKey()
        : undefined;
  const apiKey = typeof keyHeader === 'string' ? keyHeader : isKey ? bearer : undefined;
  return {
    ...(apiKey !== undefined && { apiKey }),
    ...(bearer !== undefined && !isKey && { token: bearer }),
    ...(mistake && { mistake }),
  };
}

const tokenForm = /^eyJ[\w-]+\.[\w-]+\.[\w-]*$/;

export interface CallerDeps {
  readonly projects: ProjectDirectory;
  readonly authenticator: Authenticator;
  readonly vault: Vault;
}

const anonymous: Principal = { isTrusted: false };
const refused: Caller = { principal: anonymous };

/** Which project a call is for, and who makes it. */
export function identifyCaller(
  deps: CallerDeps,
  { apiKey, token, functionToken, as, mistake }: Credentials,
  address: { ref: string | undefined; rootRef: string | undefined },
): NowOrLater<Caller> {
  if (mistake) return { ...refused, failure: mistake };
  if (functionToken !== undefined) return identifyFunction(deps, functionToken, as);
  return andThen(findProject(deps, { apiKey, token }, address), (holder) => {
    if (!holder) {
      const isGiven = apiKey !== undefined || token !== undefined;
      if (isGiven) return { ...refused, failure: invalidCredentials() };
      const failure = address.ref === undefined ? projectUnknown() : noSuchProject(address.ref);
      return { ...refused, failure };
    }
    const { project, key } = holder;
    const server = { isTrusted: apiKey !== undefined, ...(key && { key }) };
    return token === undefined ? { project, principal: server } : identifyUser(deps, project, token, server);
  });
}

async function identifyUser(
  { authenticator }: CallerDeps,
  project: Project,
  token: string,
  server: Principal,
): Promise<Caller> {
  const user = await authenticator.authenticate(project, token);
  if (user === 'expired') return { ...refused, project, failure: tokenExpired() };
  if (!user) return { ...refused, project, failure: invalidCredentials() };
  return { project, principal: { ...server, user } };
}

/** A function calls its project as a server does, unless it asks for the rights of one of its users. */
async function identifyFunction(
  { projects, authenticator, vault }: CallerDeps,
  token: string,
  as: string | undefined,
): Promise<Caller> {
  const claims = readFunctionToken(vault, token);
  const project = claims && (await projects.findByRef(claims.ref));
  if (!project) return { ...refused, failure: invalidCredentials() };
  const code = { name: claims.name, depth: claims.depth };
  if (as === undefined) return { project, principal: { isTrusted: true, code } };
  const user = await authenticator.impersonate(project, as);
  if (!user) return { ...refused, project, failure: noSuchUser(as) };
  return { project, principal: { isTrusted: false, user, code } };
}

/** By key, else by address, else by token, else the root project; a key of another project than the address finds none. */
function findProject(
  { projects, authenticator }: CallerDeps,
  { apiKey, token }: { apiKey: string | undefined; token: string | undefined },
  { ref, rootRef }: { ref: string | undefined; rootRef: string | undefined },
): NowOrLater<KeyHolder | undefined> {
  if (apiKey !== undefined) {
    return andThen(isApiKey(apiKey) ? projects.findByApiKey(apiKey) : undefined, (holder) =>
      ref === undefined || ref === holder?.project.ref ? holder : undefined,
    );
  }
  const named = ref ?? (token === undefined ? rootRef : authenticator.claimedProject(token));
  return andThen(
    named === undefined ? undefined : projects.findByRef(named),
    (project) => project && { project },
  );
}
