/** Further API keys of projects, each with scopes of its own. */
export type { ApiKeyRecord } from './api-key.ts';
export { findKey } from './find-key.ts';
export { KeyUses } from './key-uses.ts';
export { changeKey, createKey, deleteKey, listKeys } from './manage-keys.ts';
