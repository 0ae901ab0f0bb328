import type { ProjectDb } from '../../platform/db/project-db.ts';
import type { Project, SignedInUser } from '../projects/index.ts';
import { findUserOfSession } from './store.ts';
import type { Tokens } from './tokens.ts';

/** The user behind a token, read now: a token ends the moment its session or user does, on every node. */
export async function authenticate(
  tokens: Tokens,
  project: Project,
  db: ProjectDb,
  token: string,
): Promise<SignedInUser | undefined> {
  const content = await tokens.verify(token);
  if (!content || content.projectRef !== project.ref) return undefined;
  return authenticateSession(db, content);
}

/** The user of a sign-in, as long as that lasts. */
export async function authenticateSession(
  db: ProjectDb,
  session: { readonly userId: string; readonly sessionId: string },
): Promise<SignedInUser | undefined> {
  const user = await findUserOfSession(db, session);
  if (!user) return undefined;
  const { id, email, role, email_verified, data, claims } = user;
  return { id, email, role, email_verified, data, claims, sessionId: session.sessionId };
}
