import { sha256 } from '../../../platform/crypto/secrets.ts';
import type { ControlDb } from '../../../platform/db/control-db.ts';
import { sql } from '../../../platform/db/sql.ts';

/** Uses a challenge up, in the transaction of what it is good for. False: it was used before, by whoever it was. */
export async function useChallenge(control: ControlDb, challenge: string): Promise<boolean> {
  const used = await control.query(sql`
    INSERT INTO control.account_used_challenges (challenge_hash) VALUES (${sha256(challenge)})
    ON CONFLICT DO NOTHING RETURNING true`);
  return used.length === 1;
}
