import { timeOfId } from '../../../platform/ids.ts';

export type Fields = Record<string, unknown>;

/** An app user as it is stored, without its secrets. */
export interface AppUser {
  readonly id: string;
  readonly email: string;
  readonly role: string;
  readonly email_verified: boolean;
  readonly phone: string | null;
  readonly data: Fields;
  readonly claims: Fields;
  readonly isSuspended: boolean;
  readonly updatedAt: number;
}

/** Somebody signing in: a user who has shown who they are, and how. */
export interface SignIn {
  readonly user: AppUser;
  /** The password hash at that moment; a user who signs in by other means may have none. */
  readonly passwordHash: string | null;
  /** What the list of sessions says: `password`, `phone`, `passkey`, the name of a provider… */
  readonly method: string;
}

/** What the user itself and the API key's holder see. */
export function userRecord(user: AppUser) {
  return {
    id: user.id,
    email: user.email,
    role: user.role,
    email_verified: user.email_verified,
    ...(user.phone !== null && { phone: user.phone }),
    data: user.data,
    claims: user.claims,
    createdAt: new Date(timeOfId(user.id)).toISOString(),
    updatedAt: new Date(user.updatedAt).toISOString(),
    ...(user.isSuspended && { suspended: true }),
  };
}

/** What everyone sees. */
function publicProfile(user: AppUser) {
  const { private: _, ...data } = user.data;
  return { id: user.id, role: user.role, data, createdAt: new Date(timeOfId(user.id)).toISOString() };
}

/** The user as the caller may see it: one projection for single reads, lists and population. */
export function projectedUser(user: AppUser, principal: { isTrusted: boolean }) {
  return principal.isTrusted ? userRecord(user) : publicProfile(user);
}
