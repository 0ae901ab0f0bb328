import type { ProjectDb } from '../../../platform/db/project-db.ts';
import { sql } from '../../../platform/db/sql.ts';
import type { RelyingParty } from './relying-party.ts';

/** What a challenge is for: to add a passkey for one user, or to sign anybody in. */
export type ChallengeUse =
  | { readonly purpose: 'register'; readonly userId: string }
  | { readonly purpose: 'login'; readonly userId: null };

type StoredUse = ChallengeUse & { readonly hash: Buffer };

/** As many as one person may have begun at once; the oldest make room. */
const challengesPerUser = 5;

export async function insertChallenge(
  db: ProjectDb,
  { hash, purpose, userId, rpId, origin, lastsS }: StoredUse & RelyingParty & { readonly lastsS: number },
): Promise<void> {
  await db.query(sql`
    WITH oldest AS (
      DELETE FROM cell.passkey_challenges WHERE project_id = ${db.scope} AND challenge_hash IN (
        SELECT challenge_hash FROM cell.passkey_challenges
        WHERE project_id = ${db.scope} AND user_id = ${userId}::uuid
        ORDER BY expires_at DESC OFFSET ${challengesPerUser - 1}))
    INSERT INTO cell.passkey_challenges (project_id, challenge_hash, purpose, user_id, rp_id, origin, expires_at)
    VALUES (${db.scope}, ${hash}, ${purpose}, ${userId}::uuid, ${rpId}, ${origin},
      now() + ${lastsS} * interval '1 second')`);
}

/** Takes a challenge away; nobody else gets it from then on. Undefined: it is not there, for something else, or too old. */
export async function deleteChallenge(
  db: ProjectDb,
  { hash, purpose, userId }: StoredUse,
): Promise<RelyingParty | undefined> {
  const [row] = await db.query<{ rpId: string; origin: string; isCurrent: boolean }>(sql`
    DELETE FROM cell.passkey_challenges
    WHERE project_id = ${db.scope} AND challenge_hash = ${hash} AND purpose = ${purpose}
      AND user_id IS NOT DISTINCT FROM ${userId}::uuid
    RETURNING rp_id AS "rpId", origin, expires_at > now() AS "isCurrent"`);
  return row?.isCurrent ? { rpId: row.rpId, origin: row.origin } : undefined;
}
