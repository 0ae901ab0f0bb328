import type { FilledForm, IncomingForm, RequestContext } from '../../../calls/index.ts';
import { type NewFile, readDocumentForm, recordFiles, releaseUnheld } from '../../files/index.ts';
import type { AppUser } from '../user-records/index.ts';
import type { AppUserDeps } from './deps.ts';

/** Reads a form about a user: `data` holds JSON text, files fill fields of it, the other parts are texts as they are. */
export function readUserForm(
  { storage }: Pick<AppUserDeps, 'storage'>,
  context: RequestContext,
  form: IncomingForm,
): Promise<FilledForm> {
  return readDocumentForm(storage, context, form, (data, texts) => ({ ...Object.fromEntries(texts), data }));
}

/**
 * Settles the files of a user that was written: releases those it no longer holds, records those that came with the call.
 * Users change seldom enough to look for files each time.
 */
export async function settleFiles(
  { storage }: Pick<AppUserDeps, 'storage'>,
  context: RequestContext,
  user: Pick<AppUser, 'id' | 'data'>,
  files: readonly NewFile[] = [],
): Promise<void> {
  const data = JSON.stringify(user.data);
  await releaseUnheld(context.db, new Map([[user.id, data]]), storage);
  const held = files.filter(({ urlKey }) => data.includes(urlKey));
  if (held.length === 0) return;
  // Whoever signs up has no token yet, but the files are the new user's.
  const own = held.map((file) => ({ ...file, uploadedBy: file.uploadedBy ?? user.id }));
  await recordFiles(context, own, { heldBy: user.id });
}
