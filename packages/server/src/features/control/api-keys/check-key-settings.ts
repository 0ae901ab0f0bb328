import { formatScope, knownScopes, parseScope } from '../../../calls/index.ts';
import { parseNetwork } from '../../../platform/http/networks.ts';
import { isNear } from '../../../platform/near-name.ts';
import { invalidSetting } from '../projects/index.ts';

/** Scopes of a key. @limit invalid_setting */
const mostScopes = 50;
/** Networks that a key can be used from. @limit invalid_setting */
const mostAddresses = 20;
const longestName = 100;

export function checkKeyName(name: string): string {
  if (name.trim() === '' || name.length > longestName)
    throw invalidSetting('name', `The name of a key must have 1 to ${longestName} characters.`);
  return name;
}

/** The scopes as they are stored, each once. */
export function checkScopes(texts: readonly string[]): string[] {
  const scopes = texts.map((text) => {
    const scope = parseScope(text);
    if (!scope) throw invalidSetting('scopes', unknownScope(text));
    return formatScope(scope);
  });
  const different = [...new Set(scopes)];
  if (different.length === 0)
    throw invalidSetting('scopes', `A key needs at least one scope. Scopes: ${knownScopes.join(', ')}.`);
  if (different.length > mostScopes)
    throw invalidSetting('scopes', `A key can have at most ${mostScopes} scopes.`);
  return different;
}

function unknownScope(text: string): string {
  const near = nearScope(text);
  const hint = near === undefined ? '' : ` Did you mean "${near}"?`;
  return `"${text.slice(0, 100)}" is not a scope.${hint} Scopes: ${knownScopes.join(', ')}.`;
}

/** What was probably meant: `user:read`, `collection:orders:raed`, `orders:read`. */
function nearScope(text: string): string | undefined {
  const parts = text.split(':');
  const name = parts.length === 3 ? parts[1] : parts.length === 2 ? parts[0] : text;
  const candidates = knownScopes.map((known) => known.replace('{name}', name ?? ''));
  const near = candidates.find((known) => isNear(known, text));
  if (near !== undefined) return parseScope(near) ? near : undefined;
  const ofCollection = `collection:${text}`;
  return parseScope(ofCollection) ? ofCollection : undefined;
}

export function checkExpiry(expiresAt: Date | null): Date | null {
  if (expiresAt && !(expiresAt.getTime() > Date.now()))
    throw invalidSetting('expiresAt', 'The expiry of a key must be in the future.');
  return expiresAt;
}

/** IPv4 networks are written as such: ::ffff:… stands for nothing that could be told apart from them. */
export function checkAddresses(texts: readonly string[]): readonly string[] {
  if (texts.length > mostAddresses)
    throw invalidSetting(
      'addresses',
      `A key can be limited to at most ${mostAddresses} addresses and networks.`,
    );
  const odd = texts.find((text) => !parseNetwork(text) || /^::ffff:/i.test(text));
  if (odd !== undefined) {
    throw invalidSetting(
      'addresses',
      `"${odd.slice(0, 100)}" is not an address or network. Write 203.0.113.7, 10.0.0.0/8 or 2001:db8::/32.`,
    );
  }
  return texts;
}
