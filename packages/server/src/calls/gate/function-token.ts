import type { Vault } from '../../platform/crypto/vault.ts';

/** What a function is to the service it calls: a server of its project, for as long as its call takes. */
export interface FunctionClaims {
  /** The project. */
  readonly ref: string;
  readonly name: string;
  /** How many functions have led to this one, by what they wrote. */
  readonly depth: number;
  /** Milliseconds since 1970. */
  readonly expiresAt: number;
}

const prefix = 'pfn_';
const purpose = 'function';

export const isFunctionToken = (text: string): boolean => text.startsWith(prefix);

/** Made when a function is called, held by whoever runs it, and never seen by its code. */
export function makeFunctionToken(vault: Vault, { ref, name, depth, expiresAt }: FunctionClaims): string {
  const claims = Buffer.from(JSON.stringify([ref, name, depth, expiresAt])).toString('base64url');
  return `${prefix}${claims}.${vault.sign(`${purpose} ${claims}`)}`;
}

/** Undefined if it was not made here, or has expired. */
export function readFunctionToken(vault: Vault, token: string): FunctionClaims | undefined {
  const [claims = '', signature = ''] = token.slice(prefix.length).split('.', 2);
  if (!vault.isSigned(`${purpose} ${claims}`, signature)) return undefined;
  // What was signed was made above.
  const [ref, name, depth, expiresAt] = JSON.parse(Buffer.from(claims, 'base64url').toString()) as [
    string,
    string,
    number,
    number,
  ];
  return expiresAt > Date.now() ? { ref, name, depth, expiresAt } : undefined;
}
