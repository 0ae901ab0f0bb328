// dependency-cruiser reads .ts files through TypeScript's compiler API, which TypeScript 7 no longer exports;
// without it the cruiser sees no file and passes. This maps `typescript` to the 6.x copy of this workspace.
import { createRequire, registerHooks } from 'node:module';
import { pathToFileURL } from 'node:url';

const require = createRequire(import.meta.url);
// Resolved before the hook is in place: inside it, resolving would call the hook again.
const copies = new Map(
  ['typescript', 'typescript/package.json'].map((name) => [name, pathToFileURL(require.resolve(name)).href]),
);

registerHooks({
  resolve(specifier, context, next) {
    const url = copies.get(specifier);
    return url === undefined ? next(specifier, context) : { url, shortCircuit: true };
  },
});
