import { DatabaseError } from 'pg';
import { errorCode } from '../error-code.ts';
import { NoAnswerError } from './connection.ts';

const connectionFaults = new Set([
  'ECONNREFUSED',
  'ECONNRESET',
  'EPIPE',
  'ETIMEDOUT',
  'ENOTFOUND',
  'EHOSTUNREACH',
]);

const lostConnection =
  /^(Client has encountered a connection error|Client was closed|Connection terminated|timeout exceeded when trying to connect|timeout expired|Query read timeout)/;

/**
 * Is it the database that cannot serve just now? The SQLSTATE classes 08, 40, 53 and 57P say so, 25006 comes from a
 * server that takes no writes (any more), and 55P03 from a statement that waited too long for what others hold.
 */
export function isAway(error: Error): boolean {
  const code = errorCode(error) ?? '';
  if (connectionFaults.has(code) || lostConnection.test(error.message)) return true;
  return /^(08|40|53|57P)/.test(code) || isLockTimeout(error) || isFromReadOnly(error);
}

/** Has PostgreSQL said that the statement failed? After a connection broke, nobody knows whether it did. */
export function isCertain(error: unknown): boolean {
  // Codes of sockets, such as EPIPE, look like those of PostgreSQL, so it matters who says it.
  return error instanceof DatabaseError && !/^(08|53|57P|58|XX)/.test(error.code ?? 'XX');
}

/** Did a statement give up waiting for a lock? */
export function isLockTimeout(error: unknown): boolean {
  return errorCode(error) === '55P03';
}

/** Does the server take no writes, because it is a standby (by now), or was set so? */
export function isFromReadOnly(error: unknown): boolean {
  return errorCode(error) === '25006';
}

/** Can the next statement go over the connection that this one failed on? One that takes no writes will take none then. */
export function leavesUsable(error: unknown): boolean {
  return (
    error instanceof DatabaseError && !/^(08|57P|58|XX)/.test(error.code ?? 'XX') && !isFromReadOnly(error)
  );
}

/** Did the connection break before the answer came, and soon? Then the same can be asked again over another. */
export function isBroken(error: unknown): boolean {
  if (error instanceof DatabaseError) return /^57P0[123]$/.test(error.code ?? '');
  return (
    error instanceof Error &&
    !(error instanceof NoAnswerError) &&
    !/^timeout|connection timeout$/.test(error.message) &&
    isAway(error)
  );
}

export function isUniqueViolation(error: unknown): boolean {
  return errorCode(error) === '23505';
}

/** Did a statement run past its time? */
export function isTimeout(error: unknown): boolean {
  return errorCode(error) === '57014';
}

/** The schema of tables that are made and dropped while the service runs. */
const ownSchema = 'own';

/**
 * Can the same call succeed when it is done again? It can if the statement relied on something that has changed since
 * (`PL001`), if its table was dropped, or if it had to give way in a deadlock.
 */
export function isWorthAgain(error: unknown): boolean {
  const code = errorCode(error);
  if (code === '42P01') return error instanceof Error && error.message.includes(`"${ownSchema}.`);
  return code === 'PL001' || code === '40P01';
}
