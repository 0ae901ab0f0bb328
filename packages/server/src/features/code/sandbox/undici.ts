import type * as undici from 'undici';

/** It is loaded by the first call that needs it: a node that runs no functions saves 30 MB. */
export type Undici = typeof undici;
