// Makes one file of what runs inside the sandbox: it has no network and no packages there.
import { join } from 'node:path';
import { build } from 'rolldown';

await build({
  input: join(import.meta.dirname, 'src/runner/main.ts'),
  platform: 'neutral',
  external: /^node:/,
  resolve: { conditionNames: ['@plinth/source', 'import', 'default'] },
  output: {
    file: join(import.meta.dirname, 'dist/runner.js'),
    codeSplitting: false,
    minify: true,
    keepNames: true,
  },
});
