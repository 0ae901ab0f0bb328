/**
 * An Idempotency-Key that the statement which does the work is to claim, instead of a transaction around it: so that calls
 * with keys share statements like all others.
 */
export interface KeyClaim {
  readonly keyHash: Buffer;
  readonly bodyHash: Buffer;
  isUsed: boolean;
}
