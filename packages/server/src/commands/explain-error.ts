import { ConfigError } from '../platform/config/config.ts';
import { VaultError } from '../platform/crypto/vault.ts';
import { LocalPostgresError } from '../platform/db/local-postgres.ts';
import { MigrationError } from '../platform/db/migrate.ts';
import { AppError } from '../platform/errors.ts';
import { CommandError, UsageError, usage } from './usage.ts';

/** Their message is all that a person at the keyboard needs. */
const explained = [AppError, CommandError, ConfigError, LocalPostgresError, MigrationError, VaultError];

const databaseAway = new Set(['ECONNREFUSED', 'ENOTFOUND', '28P01', '3D000']);
const notPrepared = new Set(['42P01', '3F000']);

/** One line for what a person at the keyboard can fix; anything else keeps its stack. */
export function explainError(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const { message, stack } = error;
  if (error instanceof UsageError) return `${message}\n\n${usage}`;
  if (explained.some((kind) => error instanceof kind)) return message;
  const code = 'code' in error && typeof error.code === 'string' ? error.code : '';
  if (code === 'EADDRINUSE') return 'The port is in use. Choose another with --port (or PORT).';
  if (code.startsWith('ERR_PARSE_ARGS')) return `${message}\n\n${usage}`;
  if (databaseAway.has(code)) return `The database cannot be used: ${message || code}`;
  if (notPrepared.has(code)) return `The database is not prepared (${message}). Run: plinth migrate`;
  return stack ?? String(error);
}
