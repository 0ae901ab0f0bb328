import type { ErrorCode } from '@plinth/protocol';
import { Type } from 'typebox';
import { Value } from 'typebox/value';
import { AppError } from '../platform/errors.ts';

const withKey = Type.Object({ key: Type.String() });

/** Use cases word their errors for any caller; these are worded for somebody at a shell, with the command that helps. */
const wordings: Partial<Record<ErrorCode, (error: AppError) => string>> = {
  api_key_not_found: ({ message }) => `${message} List them: plinth project keys <ref>`,
  invalid_setting: ({ message }) => message.replace(/^The rate limit /, '--rate-limit '),
  project_not_found: ({ message }) => `${message} List them: plinth project list`,
  reserved_key: ({ details }) => {
    const key = Value.Check(withKey, details) ? details.key : '<KEY>';
    return `${key} is a built-in configuration key: plinth project config set <ref> ${key} <value>`;
  },
  variable_not_found: ({ message }) => `${message} See: plinth project env list <ref>`,
};

export function inShellWords(error: unknown): unknown {
  if (!(error instanceof AppError)) return error;
  const message = wordings[error.code]?.(error) ?? error.message;
  return new AppError(error.code, message, { details: error.details });
}
