import { ConfigError } from '../platform/config/config.ts';
import { VaultError } from '../platform/crypto/vault.ts';
import { MigrationError } from '../platform/db/errors.ts';
import { LocalPostgresError } from '../platform/db/local-binaries.ts';
import { AppError } from '../platform/errors.ts';
import { DeafConnectionError } from '../platform/invalidation/prove-listening.ts';
import { CommandError, UsageError } from './usage.ts';

/** Their message is all that a person at the keyboard needs. */
const explained = [
  AppError,
  CommandError,
  ConfigError,
  DeafConnectionError,
  LocalPostgresError,
  MigrationError,
  VaultError,
];

const databaseAway = new Set(['ECONNREFUSED', 'ENOTFOUND', '28P01', '3D000']);
const notPrepared = new Set(['42P01', '3F000']);

const forbidden = new Set(['EACCES', 'EPERM', 'EROFS']);
const readOn = 'See: plinth --help';

/** What Node says after it is about arguments that begin with a dash. */
function firstSentence(message: string): string {
  const [first = message] = message.split(/(?<=[.!?]) /, 1);
  return /[.!?]$/.test(first) ? first : `${first}.`;
}

/** One line for what a person at the keyboard can fix; anything else keeps its stack. */
export function explainError(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const { message, stack } = error;
  if (error instanceof UsageError) return `${message} ${readOn}`;
  if (explained.some((kind) => error instanceof kind)) return message;
  const code = 'code' in error && typeof error.code === 'string' ? error.code : '';
  if (code === 'EADDRINUSE') return 'The port is in use. Choose another with PORT, or with ADMIN_PORT.';
  if (code === 'EACCES' && 'syscall' in error && error.syscall === 'listen')
    return 'This user is not allowed to listen on the port. Choose one above 1023 with PORT, or with ADMIN_PORT.';
  if (code.startsWith('ERR_PARSE_ARGS')) return `${firstSentence(message)} ${readOn}`;
  if (forbidden.has(code) && 'path' in error) return `This user cannot read or write ${String(error.path)}.`;
  if (databaseAway.has(code)) return `The database cannot be used: ${message || code}`;
  if (notPrepared.has(code)) return `The database is not prepared (${message}). Run: plinth migrate`;
  return stack ?? String(error);
}
