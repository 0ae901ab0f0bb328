/** The tokens of app users, and the keys that sign them. */
export { addSigningKey, KeyRing } from './key-ring.ts';
export { listPublishedKeyIds } from './key-store.ts';
export { addPublishedKeys } from './published-keys.ts';
export { claimedProject, isExpired, Tokens } from './tokens.ts';
