import type { Path } from '@plinth/protocol';
import type { Principal } from '../../../calls/index.ts';
import { sql } from '../../../platform/db/sql.ts';
import { ownedFields, type Target, type UserScope } from '../../data/index.ts';

/** App users as queries meet them: public profiles to everyone, everything to the API key. */
export const userScope: UserScope = {
  table: { tables: [sql`cell.app_users`], collection: undefined, isComplete: sql`true` },
  targetOf: (path, principal) => (isPrivate(path, principal) ? 'not readable' : targetOf(path)),
};

function targetOf(path: Path): Target | 'no such field' {
  const [first = '', ...rest] = path;
  const column = columns.find((name) => name === first);
  if (column && rest.length === 0) return { kind: 'column', column };
  if ((first === 'data' || first === 'claims') && rest.length > 0)
    return { kind: 'json', column: first, path: rest };
  return 'no such field';
}

const columns = [...ownedFields, 'email', 'role', 'email_verified', 'phone'] as const;

/** Names under which nobody but the API key's holder may ask anything of a user. */
const privateNames: readonly string[] = [
  'updatedAt',
  'email',
  'email_verified',
  'phone',
  'claims',
  'password',
  'token',
];

function isPrivate([first = '', second]: Path, { isTrusted }: Principal): boolean {
  return !isTrusted && (privateNames.includes(first) || (first === 'data' && second === 'private'));
}
