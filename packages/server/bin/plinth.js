#!/usr/bin/env node
// Nothing is imported before this: an older Node would fail on the import, or on the first call, with a riddle.
const needed = 24;
if (Number.parseInt(process.versions.node, 10) < needed) {
  process.stderr.write(
    `Plinth needs Node ${needed} or newer; this is ${process.versions.node}. Get one at https://nodejs.org\n`,
  );
  process.exit(1);
}

// Only a node has enough to do for it to matter.
if (process.argv[2] === 'start') (await import('./young-generation.js')).enlargeYoungGeneration();

const { enableCompileCache } = await import('node:module');
const { setFlagsFromString } = await import('node:v8');

// Bytes of files pass through memory outside of V8's heap. By default V8 marks its whole heap for every 10 MB or so of
// them, which took a third of the time of an upload; with this it counts them like its own memory.
setFlagsFromString('--external-memory-accounted-in-global-limit');

// A command that is run again starts a third faster.
enableCompileCache();

await import('#main');
