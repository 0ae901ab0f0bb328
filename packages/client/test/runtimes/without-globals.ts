import type { runSuite } from './run-suite.ts';

/* What is not everywhere, and must not be relied on. */
// Node needs some of it itself, when it first fetches.
await fetch('data:,');
void [WebSocket, FormData, File];

const globals = globalThis as unknown as Record<string, unknown>;
for (const name of [
  'BroadcastChannel',
  'XMLHttpRequest',
  'localStorage',
  'sessionStorage',
  'structuredClone',
])
  Reflect.deleteProperty(globals, name);
for (const name of ['any', 'timeout']) Reflect.deleteProperty(AbortSignal, name);
for (const name of ['toSorted', 'toReversed', 'toSpliced', 'with', 'findLast'])
  Reflect.deleteProperty(Array.prototype, name);
Object.defineProperty(globalThis, 'crypto', {
  value: { getRandomValues: crypto.getRandomValues.bind(crypto) },
});
Object.defineProperty(globalThis, 'navigator', { value: undefined });
for (const name of ['protocol', 'host', 'pathname', 'search', 'port', 'href']) {
  const own = Object.getOwnPropertyDescriptor(URL.prototype, name);
  Object.defineProperty(URL.prototype, name, {
    ...own,
    set(value) {
      // Node itself does so when it loads a module.
      const isNode = new Error('where').stack?.split('\n')[2]?.includes('node:');
      if (!isNode) throw new Error(`URL.${name} is set, which React Native cannot do.`);
      own?.set?.call(this, value);
    },
  });
}
const realFetch = globalThis.fetch;
globalThis.fetch = (url, init) => {
  if (init?.headers instanceof Headers) throw new Error('React Native drops a Headers.');
  return realFetch(url, init);
};
// Only now, so that it finds things as they are.
const suite: { runSuite: typeof runSuite } = await import('./run-suite.ts');
await suite.runSuite();
