import type { Answer } from '../../platform/http/answer.ts';
import { sha256 } from '../../platform/secrets.ts';
import type { RequestContext } from '../projects/index.ts';
import { idempotencyMismatch, invalidIdempotencyKey } from './errors.ts';
import { claimKey, getKeptAnswer, keepAnswer } from './store.ts';

export interface OnceCall {
  readonly key: string;
  readonly method: string;
  readonly path: string;
  readonly body: unknown;
}

/**
 * Does the work once for an Idempotency-Key and gives later calls the same answer. The key is kept in the transaction
 * of the work: either both are committed or neither.
 */
export async function runOnce(
  context: RequestContext,
  call: OnceCall,
  work: (context: RequestContext) => Promise<Answer>,
): Promise<Answer> {
  if (call.key === '' || call.key.length > 255) throw invalidIdempotencyKey();
  const keyHash = sha256(JSON.stringify([context.principal.kind, call.method, call.path, call.key]));
  const bodyHash = sha256(JSON.stringify(call.body) ?? '');
  return context.db.transaction(async (db) => {
    if (await claimKey(db, keyHash, bodyHash)) {
      const answer = await work({ ...context, db });
      await keepAnswer(db, keyHash, JSON.stringify(answer));
      return answer;
    }
    const kept = await getKeptAnswer(db, keyHash);
    if (!kept.bodyHash.equals(bodyHash)) throw idempotencyMismatch();
    const answer = JSON.parse(kept.answer) as Answer;
    return { ...answer, headers: { ...answer.headers, 'Idempotency-Replayed': 'true' } };
  });
}
