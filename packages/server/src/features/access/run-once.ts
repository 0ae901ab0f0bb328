import type { Answer } from '../../platform/http/answer.ts';
import { sha256 } from '../../platform/secrets.ts';
import type { Vault } from '../../platform/vault.ts';
import type { RequestContext } from '../projects/index.ts';
import { idempotencyMismatch, invalidIdempotencyKey } from './errors.ts';
import { claimKey, getKeptAnswer, keepAnswer } from './store.ts';

export interface OnceCall {
  readonly key: string;
  readonly method: string;
  readonly path: string;
  readonly body: unknown;
  readonly replay?: ((context: RequestContext, kept: string) => Promise<Answer>) | undefined;
}

/**
 * Does the work once for an Idempotency-Key and gives later calls the same answer. The key is kept in the transaction
 * of the work: either both are committed or neither.
 */
export async function runOnce(
  context: RequestContext,
  call: OnceCall,
  vault: Vault,
  work: (context: RequestContext) => Promise<Answer>,
): Promise<Answer> {
  if (call.key === '' || call.key.length > 255) throw invalidIdempotencyKey();
  const { isTrusted, user } = context.principal;
  const principal = `${isTrusted ? 'server' : ''}:${user?.id ?? ''}`;
  const keyHash = sha256(JSON.stringify([principal, call.method, call.path, call.key]));
  // A body may hold a password: its mark must not help to guess it.
  const bodyHash = vault.mark(JSON.stringify(call.body) ?? '');
  return context.db.transaction(async (db) => {
    if (await claimKey(db, keyHash, bodyHash)) {
      const answer = await work({ ...context, db });
      await keepAnswer(
        db,
        keyHash,
        JSON.stringify(answer.kept === undefined ? answer : { kept: answer.kept }),
      );
      return answer;
    }
    const kept = await getKeptAnswer(db, keyHash);
    if (!kept.bodyHash.equals(bodyHash)) throw idempotencyMismatch();
    const first = JSON.parse(kept.answer) as Answer;
    const answer = first.kept === undefined ? first : await call.replay!({ ...context, db }, first.kept);
    return { ...answer, headers: { ...answer.headers, 'Idempotency-Replayed': 'true' } };
  });
}
