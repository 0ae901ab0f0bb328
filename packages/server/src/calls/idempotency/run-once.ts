import type { KeyedMutex } from '../../platform/concurrency/keyed-mutex.ts';
import type { NowOrLater } from '../../platform/concurrency/now-or-later.ts';
import { sha256 } from '../../platform/crypto/secrets.ts';
import type { Vault } from '../../platform/crypto/vault.ts';
import { AppError } from '../../platform/errors.ts';
import type { Answer } from '../answer.ts';
import type { RequestContext } from '../context.ts';
import { serverNameOf } from '../principal.ts';
import type { Quotas } from '../quotas/index.ts';
import { idempotencyMismatch, invalidIdempotencyKey } from './errors.ts';
import type { KeyClaim } from './key-claim.ts';
import { claimKey, getKeptAnswer, hasKeptAnswer, keepAnswer } from './store.ts';

export interface OnceDeps {
  readonly vault: Vault;
  /** How much a project may keep. */
  readonly quotas: Quotas;
  /** Calls with the same key go one after the other on a node. */
  readonly keyLocks: KeyedMutex;
}

export interface OnceCall {
  readonly key: string;
  readonly method: string;
  readonly path: string;
  readonly body: unknown;
  readonly ifMatch?: string | undefined;
  readonly replay?: ((context: RequestContext, kept: string) => Promise<Answer>) | undefined;
}

/** Whether a call with this key was answered before. */
export async function wasAnswered(context: RequestContext, call: OnceCall): Promise<boolean> {
  return hasKeptAnswer(context.db, keyHashOf(context, call));
}

/** A body may hold a password: its mark must not help to guess it. */
function bodyOf({ body, ifMatch }: OnceCall): string {
  return JSON.stringify(ifMatch === undefined ? body : { body, ifMatch }) ?? '';
}

/** No two projects have the same: a statement may be shared by several. */
function keyHashOf({ project, principal }: RequestContext, call: OnceCall): Buffer {
  if (call.key === '' || call.key.length > 255) throw invalidIdempotencyKey();
  const caller = `${serverNameOf(principal)}:${principal.user?.id ?? ''}`;
  return sha256(JSON.stringify([project.id, caller, call.method, call.path, call.key]));
}

/**
 * Does the work in a statement that claims the key too. Undefined: it could not be done so, or was done before.
 */
export async function runTogether(
  context: RequestContext,
  call: OnceCall,
  { vault, keyLocks }: OnceDeps,
  work: (context: RequestContext) => NowOrLater<Answer>,
): Promise<Answer | undefined> {
  const keyHash = keyHashOf(context, call);
  const claim: KeyClaim = { keyHash, bodyHash: vault.mark(bodyOf(call)), isUsed: false };
  let answer: Answer;
  try {
    // A statement takes each key once.
    answer = await keyLocks.run(keyHash.toString('latin1'), async () => work({ ...context, claim }));
  } catch (error) {
    // What was refused may have been done before; what failed may have been committed. The key knows.
    if (!(error instanceof AppError) || (await wasAnswered(context, call))) return undefined;
    throw error;
  }
  if (!claim.isUsed) throw new Error('The work was done without its Idempotency-Key.');
  return answer;
}

/**
 * Does the work once for an Idempotency-Key and gives later calls the same answer. The key is kept in the transaction
 * of the work: either both are committed or neither.
 */
export async function runOnce(
  context: RequestContext,
  call: OnceCall,
  { vault, quotas }: OnceDeps,
  work: (context: RequestContext) => NowOrLater<Answer>,
): Promise<Answer> {
  const keyHash = keyHashOf(context, call);
  const body = bodyOf(call);
  return context.db.transaction(async (db) => {
    if (await claimKey(db, keyHash, vault.mark(body))) {
      const answer = await work({ ...context, db });
      const kept = JSON.stringify(answer.kept === undefined ? answer : { kept: answer.kept });
      await quotas.spend({ ...context, db }, { idempotencyBytes: Buffer.byteLength(kept) }, () =>
        keepAnswer(db, keyHash, kept),
      );
      return answer;
    }
    const kept = await getKeptAnswer(db, keyHash);
    if (!vault.marks(body).some((mark) => mark.equals(kept.bodyHash))) throw idempotencyMismatch();
    const first = JSON.parse(kept.answer) as Answer;
    const answer = first.kept === undefined ? first : await call.replay!({ ...context, db }, first.kept);
    return { ...answer, headers: { ...answer.headers, 'Idempotency-Replayed': 'true' } };
  });
}
