import { answers } from './answer-attacks.ts';
import type { Attack } from './attack.ts';
import { bodies } from './body-attacks.ts';
import { files } from './file-attacks.ts';
import { live } from './live-attacks.ts';
import { people } from './people-attacks.ts';
import { queries } from './query-attacks.ts';
import { schemas } from './schema-attacks.ts';
import { tables } from './table-attacks.ts';

export const attacks: readonly Attack[] = [
  ...bodies,
  ...answers,
  ...queries,
  ...schemas,
  ...people,
  ...live,
  ...files,
  ...tables,
];

/** Some of each kind, for every run of the tests. */
export const sample: ReadonlySet<string> = new Set([
  'bodies nested half a million deep',
  'bodies that come byte by byte',
  'one large document, populated a thousand times',
  'snapshots that would be too large',
  'PATCHes that are refused, full of links',
  'lists by a slow filter',
  'a schema whose work doubles with each level',
  'tokens and keys that are made up',
  'presence in a room of 300',
  'batches that many follow and nobody reads',
  'a picture in very many sizes',
  'settings that change under writes',
]);
