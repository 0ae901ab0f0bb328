import type { Static, TSchema } from 'typebox';
import { Value } from 'typebox/value';
import type { Vault } from '../crypto/vault.ts';
import { parseJsonText } from '../json.ts';
import type { JobContent } from './job-runner.ts';

/** The content of a job with secrets in it. It is sealed for one place, and cannot be opened as anything else. */
export function sealContent(vault: Vault, place: string, content: unknown): { sealed: string } {
  return { sealed: vault.encrypt(JSON.stringify(content), place).toString('base64') };
}

/** Opens what `sealContent` has sealed for the same place. */
export function openContent<Schema extends TSchema>(
  vault: Vault,
  place: string,
  { schema, content }: { schema: Schema; content: JobContent },
): Static<Schema> {
  const value = parseJsonText(vault.decrypt(Buffer.from(String(content.sealed), 'base64'), place));
  if (!Value.Check(schema, value)) throw new Error(`The job of the ${place} is not of the expected form.`);
  return value;
}
