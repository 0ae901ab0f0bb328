import { randomBytes } from 'node:crypto';
import type {
  Principal,
  Project,
  ProjectDirectory,
  RequestContext,
  ScopedKey,
} from '../../../calls/index.ts';
import { sha256 } from '../../../platform/crypto/secrets.ts';
import type { ProjectDb } from '../../../platform/db/project-db.ts';
import { authenticateSession } from '../../people/index.ts';
import { insertTicket, takeTicket } from './ticket-store.ts';

const lifeSeconds = 30;
/** A connection of an account ends after so long, and begins anew if the account is still signed in. */
const accountMs = 15 * 60_000;

/** What a ticket for a server goes back to: an API key, or an account that works on the project. */
interface ServerProof {
  readonly apiKeyHash: Buffer | null;
  readonly accountId: string | null;
}

export interface TicketDeps {
  readonly directory: ProjectDirectory;
  /** Does the account work on the project, as of now? */
  readonly isOfTeam: (accountId: string, ref: string) => Promise<boolean>;
}

/** Who is let in with a ticket. */
export interface TicketHolder {
  readonly project: Project;
  readonly principal: Principal;
  /** What makes it a server. */
  readonly server: ServerProof;
  /** When the token of its user expires. */
  readonly expiresAtMs: number | undefined;
}

/** A ticket for one connection, on behalf of the caller. It begins with the project, so it needs no address. */
export async function createTicket(
  { db, project, principal }: RequestContext,
  tokenExpiresAtMs: number | undefined,
): Promise<{ ticket: string; expiresAt: Date }> {
  const ticket = `${project.ref}.${randomBytes(24).toString('base64url')}`;
  const { user, account, key, isTrusted } = principal;
  const endsAtMs = account ? Date.now() + accountMs : tokenExpiresAtMs;
  const holder = {
    userId: user?.id ?? null,
    sessionId: user?.sessionId ?? null,
    apiKeyHash: isTrusted && !account ? (key?.hash ?? project.apiKeyHash) : null,
    accountId: account?.id ?? null,
    tokenExpiresAt: endsAtMs === undefined ? null : new Date(endsAtMs),
  };
  return { ticket, expiresAt: await insertTicket(db, sha256(ticket), holder, lifeSeconds) };
}

/** Uses a ticket up; undefined if it is none, was used before, or has expired. */
export async function useTicket(
  { dbOf, ...deps }: TicketDeps & { readonly dbOf: (project: Project) => ProjectDb },
  text: string,
): Promise<TicketHolder | undefined> {
  const project = await deps.directory.findByRef(text.slice(0, text.indexOf('.')));
  if (!project) return undefined;
  const db = dbOf(project);
  const ticket = await takeTicket(db, sha256(text));
  if (!ticket) return undefined;
  const { userId, sessionId, tokenExpiresAt } = ticket;
  const server = await findServer(deps, project, ticket);
  if (!server) return undefined;
  const user =
    userId === null || sessionId === null ? undefined : await authenticateSession(db, { userId, sessionId });
  if (userId !== null && !user) return undefined;
  return {
    project,
    principal: { ...server, ...(user && { user }) },
    server: ticket,
    expiresAtMs: tokenExpiresAt?.getTime(),
  };
}

/** The server that the proof is of, as of now, or nobody; undefined if what it goes back to has ended. */
export async function findServer(
  { directory, isOfTeam }: TicketDeps,
  { id, ref }: Project,
  { apiKeyHash, accountId }: ServerProof,
): Promise<Principal | undefined> {
  if (accountId !== null) return (await isOfTeam(accountId, ref)) ? { isTrusted: true } : undefined;
  if (!apiKeyHash) return { isTrusted: false };
  const { project, key } = (await directory.findByKeyHash(apiKeyHash)) ?? {};
  if (project?.id !== id || (key && !isLive(key))) return undefined;
  return { isTrusted: true, ...(key && { key }) };
}

function isLive({ expiresAt }: ScopedKey): boolean {
  return expiresAt === null || expiresAt.getTime() > Date.now();
}
