import type { Answer } from '../answer.ts';
import type { RequestContext } from '../context.ts';
import type { Quotas } from '../quotas/index.ts';
import type { ClaimedKey } from './store.ts';

/** The work cannot be done in one statement with its key: it is to be tried in a transaction. */
class NeedsTransaction extends Error {}

/** For work that claims no key: it is in a transaction that has it already, or there is none. */
export function requireNoClaim({ claim }: Pick<RequestContext, 'claim'>): void {
  if (claim) throw new NeedsTransaction();
}

/**
 * Does work in one statement, which claims the key of the call if it has one: the answer is known before. What is undefined
 * or false was not done.
 */
export async function withKey<Result>(
  context: RequestContext,
  { quotas, answer }: { quotas: Quotas; answer: Answer },
  work: (key: ClaimedKey | undefined) => Promise<Result>,
): Promise<Result> {
  const { claim } = context;
  if (!claim) return work(undefined);
  const { keyHash, bodyHash } = claim;
  const text = JSON.stringify(answer);
  const done = await quotas.spend(context, { idempotencyBytes: Buffer.byteLength(text) }, () =>
    work({ keyHash, bodyHash, answer: text }),
  );
  if (done === undefined || done === false) throw new NeedsTransaction();
  claim.isUsed = true;
  return done;
}
