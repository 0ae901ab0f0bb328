import { invalidCollectionName } from './errors.ts';

const form = /^[A-Za-z][A-Za-z0-9_-]{0,62}$/;
// A path takes name or id, so no name may look like an id.
const uuid = /^[0-9a-f]{8}-([0-9a-f]{4}-){3}[0-9a-f]{12}$/i;

export function checkName(name: string): void {
  if (!form.test(name) || uuid.test(name)) throw invalidCollectionName(name);
}
