// oxlint-disable no-console -- here the console is the log of a call
// Runs inside the sandbox: loads a project's modules and serves calls over a unix socket. Nothing here is a wall: the
// walls are the process, its namespaces and the permissions that it was started with.
import * as runtime from '../index.ts';
import { Calls } from './calls.ts';
import { Settings } from './config.ts';
import { openDatabase } from './database.ts';
import { Host } from './host.ts';
import { captureConsole, tell } from './log.ts';
import { Modules } from './modules.ts';
import { createHandler, failure } from './serve.ts';

const [runSocket = '', hostSocket = '', folder = ''] = Deno.args;
const calls = new Calls();
const settings = new Settings();
const host = new Host(hostSocket, calls);

captureConsole(calls);
globalThis.fetch = host.fetch;
// For modules that were not bundled with it.
Object.defineProperty(globalThis, Symbol.for('plinth.runtime'), { value: runtime });
Object.defineProperty(globalThis, 'config', { value: settings.config });
addEventListener('unhandledrejection', (event) => {
  event.preventDefault();
  console.error('Unhandled promise rejection:', event.reason);
});

const handle = createHandler({
  calls,
  settings,
  modules: new Modules(folder),
  host,
  database: openDatabase(host),
});
Deno.serve({ path: runSocket, onListen: () => tell({ t: 'ready' }), onError: failure }, handle);
