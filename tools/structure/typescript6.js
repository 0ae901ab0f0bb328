// dependency-cruiser reads .ts files through TypeScript's compiler API, which TypeScript 7 no longer exports;
// without it the cruiser sees no file and passes. This maps `typescript` to the 6.x copy of this workspace.
import { createRequire, registerHooks } from 'node:module';
import { pathToFileURL } from 'node:url';

const require = createRequire(import.meta.url);

registerHooks({
  resolve(specifier, context, next) {
    if (specifier === 'typescript' || specifier === 'typescript/package.json') {
      return { url: pathToFileURL(require.resolve(specifier)).href, shortCircuit: true };
    }
    return next(specifier, context);
  },
});
