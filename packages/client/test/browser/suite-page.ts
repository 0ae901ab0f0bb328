import { createClient } from '../../src/index.ts';
import { keepTokenInCookie } from '../../src/ssr.ts';
import { runAll } from '../suite/all.ts';
import { film } from '../suite/files.ts';

// What tests call in the page.
Object.assign(globalThis, { runAll, createClient, film, keepTokenInCookie });
