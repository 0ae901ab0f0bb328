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
