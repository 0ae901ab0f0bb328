import { type Fields, fieldsJson } from '../../data/index.ts';
import { ownDataTooLarge } from './errors.ts';

/** It is read on every call of the user, together with those of others. */
/** `data` of an app user, written by the user; 1 MB with the API key. @limit body_too_large bytes */
const most = 65_536;

/** Refuses more than users may keep in their own `data`. */
export function checkOwnData(data: Fields): void {
  if (Buffer.byteLength(fieldsJson(data)) > most) throw ownDataTooLarge(most);
}
