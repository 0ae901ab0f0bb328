import { inject } from 'vitest';
import type { Engine } from './engines.ts';

/** For `describe.skipIf` and `test.skipIf`. A file that cannot do without an engine says `// @needs` instead. */
export const isMissing = (engine: Engine): boolean => inject('missingEngines').includes(engine);
