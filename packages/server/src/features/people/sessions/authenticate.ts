import type { Authenticator, Project, SignedInUser, UserProfile } from '../../../calls/index.ts';
import type { Cells } from '../../../platform/db/cells.ts';
import type { ProjectDb } from '../../../platform/db/project-db.ts';
import { claimedProject, isExpired, type Tokens } from '../tokens/index.ts';
import { findProfile, findUser, findUserOfSession } from '../user-records/index.ts';

const uuidForm = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

/** Finds the app users behind tokens. They are read anew each time: a token ends the moment its session or user does. */
export class TokenAuthenticator implements Authenticator {
  readonly claimedProject = claimedProject;
  readonly #tokens: Tokens;
  readonly #cells: Cells;

  constructor(tokens: Tokens, cells: Cells) {
    this.#tokens = tokens;
    this.#cells = cells;
  }

  async authenticate(project: Project, token: string): Promise<SignedInUser | 'expired' | undefined> {
    const content = await this.#tokens.read(token);
    if (!content || content.projectRef !== project.ref) return undefined;
    if (isExpired(content)) return 'expired';
    return authenticateSession(this.#cells.forProject(project), content);
  }

  async impersonate(project: Project, userId: string): Promise<SignedInUser | undefined> {
    const user = uuidForm.test(userId) ? await findUser(this.#cells.forProject(project), userId) : undefined;
    if (!user) return undefined;
    const { id, email, role, email_verified, data, claims } = user;
    return { id, email, role, email_verified, sessionId: '', profile: async () => ({ data, claims }) };
  }
}

/** The user of a session that has not ended. */
export async function authenticateSession(
  db: ProjectDb,
  session: { readonly userId: string; readonly sessionId: string },
): Promise<SignedInUser | undefined> {
  const { userId, sessionId } = session;
  const user = await findUserOfSession(db, session);
  return user && { ...user, sessionId, profile: readOnce((db) => findProfile(db, userId)) };
}

/** Reads something when it is first asked for. A reading that failed is not kept. */
function readOnce(read: (db: ProjectDb) => Promise<UserProfile>): SignedInUser['profile'] {
  let profile: Promise<UserProfile> | undefined;
  return (db) => {
    profile ??= read(db).catch((error: unknown) => {
      profile = undefined;
      throw error;
    });
    return profile;
  };
}
