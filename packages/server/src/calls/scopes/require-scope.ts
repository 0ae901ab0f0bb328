import { defineError } from '../../platform/errors.ts';
import type { Principal } from '../principal.ts';
import { covers, formatScope, type Need, scopeFor } from './scope.ts';

const scopeMissing = defineError('scope_missing', (missing: readonly Need[]) => {
  const needed = missing.map((need) => formatScope(scopeFor(need)));
  const names = needed.map((name) => `"${name}"`).join(' and ');
  return {
    message: `This API key is not allowed to do that: it lacks ${needed.length === 1 ? 'the scope' : 'the scopes'} ${names}. Add it to the key, or use another key.`,
    details: { needed },
  };
});

/** Do the scopes of the caller’s key allow it? Those who call without such a key are not limited by scopes. */
export function isInScope({ key }: Pick<Principal, 'key'>, need: Need): boolean {
  return key === undefined || key.scopes.some((scope) => covers(scope, need));
}

export function requireScope(principal: Pick<Principal, 'key'>, ...needs: readonly Need[]): void {
  const missing = needs.filter((need) => !isInScope(principal, need));
  if (missing.length > 0) throw scopeMissing(missing);
}
