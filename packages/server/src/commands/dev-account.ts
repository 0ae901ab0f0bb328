import { findProjectByRef } from '../features/control/projects/index.ts';
import { accountByEmail, signInLinkFor } from '../features/management/accounts/index.ts';
import { findOwner, giveProject } from '../features/management/members/index.ts';
import type { Config } from '../platform/config/config.ts';
import { ControlDb } from '../platform/db/control-db.ts';
import { withCells } from './with-cells.ts';

/** Who owns the projects of `plinth dev`: whoever sits in front of it. */
const developer = 'developer@plinth.localhost';

interface Advice {
  readonly severity: 'warning' | 'notice';
  readonly message: string;
}

/** What a link carries that signs in whoever develops, once. Undefined: the project is somebody else's. */
export function developerLink(config: Config, projectRef: string): Promise<string | undefined> {
  return withCells(config, (cells) => ownerLink(new ControlDb(cells.pool(1)), projectRef));
}

/** What the settings of the project leave open that nobody may have meant to, in a line each. */
export async function devAdvice(
  config: Config,
  { baseUrl, projectRef }: { baseUrl: string; projectRef: string },
): Promise<string[]> {
  const token = await developerLink(config, projectRef);
  if (token === undefined) return [];
  const headers = { 'X-Plinth-Dashboard': '1', 'Content-Type': 'application/json' };
  const management = `${baseUrl}/management`;
  const body = JSON.stringify({ token });
  const signedIn = await fetch(`${management}/session`, { method: 'POST', headers, body });
  const cookie = signedIn.headers.getSetCookie().map((set) => set.split(';', 1)[0]);
  const own = { 'X-Plinth-Dashboard': '1', Cookie: cookie.join('; ') };
  const answer = await fetch(`${management}/projects/${projectRef}/advice`, { headers: own });
  const { data = [] } = (await answer.json()) as { data?: readonly Advice[] };
  await fetch(`${management}/session`, { method: 'DELETE', headers: own });
  return data.filter(({ severity }) => severity === 'warning').map(({ message }) => message);
}

/** Signs in the owner of the project, who is the developer unless it has another. */
async function ownerLink(control: ControlDb, ref: string): Promise<string | undefined> {
  const project = await findProjectByRef(control, ref);
  if (!project) return undefined;
  const token = await signInLinkFor(control, developer);
  const { id } = await accountByEmail(control, developer);
  const owner = await findOwner(control, project.id);
  if (owner === undefined) await giveProject(control, project.id, id);
  return owner === undefined || owner === id ? token : undefined;
}
