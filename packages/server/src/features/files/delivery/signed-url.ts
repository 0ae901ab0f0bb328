import type { Vault } from '../../../platform/crypto/vault.ts';
import { type File, type FilesDeps, fileNotFound, linkExpired } from '../records/index.ts';

const text = (file: Pick<File, 'urlKey'>, expires: number) => `file\n${file.urlKey}\n${expires}`;

/** A URL that expires after some seconds; for a private file the only kind there is. */
export function signUrl(
  { vault, urls }: Pick<FilesDeps, 'vault' | 'urls'>,
  ref: string,
  file: File,
  expiresIn: number,
): { url: string; expiresAt: string } {
  const expires = Math.floor(Date.now() / 1000) + expiresIn;
  const url = `${urls.of(ref, file)}?expires=${expires}&signature=${vault.sign(text(file, expires))}`;
  return { url, expiresAt: new Date(expires * 1000).toISOString() };
}

/** Returns when a signed URL expires. Without a valid signature the file does not exist. */
export function checkSignature(
  vault: Vault,
  file: Pick<File, 'urlKey' | 'extension'>,
  query: URLSearchParams,
): number {
  const expires = Number(query.get('expires'));
  const signature = query.get('signature') ?? '';
  if (!Number.isSafeInteger(expires) || !vault.isSigned(text(file, expires), signature)) {
    throw fileNotFound(`${file.urlKey}.${file.extension}`);
  }
  if (expires * 1000 <= Date.now()) throw linkExpired();
  return expires;
}
