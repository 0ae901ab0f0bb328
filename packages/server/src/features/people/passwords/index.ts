/** Passwords: hashing and checking them, signing in with one, changing them. */
export { checkPassword, requirePassword } from './check-password.ts';
export type { PasswordDeps } from './deps.ts';
export { wrongPassword } from './errors.ts';
export { type GivenHash, readForeignHash } from './foreign-hash.ts';
export { PasswordHasher } from './password-hasher.ts';
export { requireFreshOrOwner, requireOwner } from './require-owner.ts';
export { addPasswordRoutes } from './routes.ts';
export { givenHash, givenPassword, password } from './schemas.ts';
export { setPassword } from './set-password.ts';
