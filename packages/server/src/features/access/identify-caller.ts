import type { AppError } from '../../platform/errors.ts';
import { isApiKey } from '../../platform/secrets.ts';
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
  /** A credential was sent, but of no form there is. */
  readonly isMalformed: boolean;
}

export function readCredentials(
  headers: Readonly<Record<string, string | string[] | undefined>>,
): Credentials {
  const keyHeader = headers['x-api-key'];
  const bearer = /^bearer +(\S+)$/i.exec(String(headers.authorization ?? ''))?.[1];
  const isMalformed =
    headers.authorization !== undefined &&
    (bearer === undefined || !isApiKey(bearer) || (keyHeader !== undefined && keyHeader !== bearer));
  const apiKey = typeof keyHeader === 'string' ? keyHeader : bearer;
  return { ...(apiKey !== undefined && { apiKey }), isMalformed };
}

const anonymous = { kind: 'anonymous' } as const;

/** Which project a call is for, and who makes it. */
export async function identifyCaller(
  directory: ProjectDirectory,
  credentials: Credentials,
  address: { ref: string | undefined; rootRef: string | undefined },
): Promise<Caller> {
  if (credentials.isMalformed) return { principal: anonymous, failure: invalidCredentials() };
  if (credentials.apiKey !== undefined) {
    const project = isApiKey(credentials.apiKey)
      ? await directory.findByApiKey(credentials.apiKey)
      : undefined;
    if (!project || (address.ref !== undefined && address.ref !== project.ref)) {
      return { principal: anonymous, failure: invalidCredentials() };
    }
    return { project, principal: { kind: 'server' } };
  }
  const ref = address.ref ?? address.rootRef;
  const project = ref === undefined ? undefined : await directory.findByRef(ref);
  return project ? { project, principal: anonymous } : { principal: anonymous, failure: projectUnknown() };
}
