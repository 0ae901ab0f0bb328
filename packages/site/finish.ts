import { createHash } from 'node:crypto';
import { cpSync, globSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { AstroIntegration } from 'astro';
import { brokenLinks } from './broken-links.ts';
import type { Doc } from './src/docs.ts';
import { twins } from './src/twins.ts';

/** What is left to do with the built pages: their twins, pictures, the policy, and proof that all links lead somewhere. */
export function finish(docs: readonly Doc[], pictures: string): AstroIntegration {
  return {
    name: 'plinth-finish',
    hooks: {
      'astro:build:done': ({ dir }) => {
        const folder = fileURLToPath(dir);
        for (const [file, text] of twins(docs)) writeFileSync(join(folder, file), text);
        const pages = new Map(
          globSync('**/*.html', { cwd: folder }).map((file) => [
            file,
            readFileSync(join(folder, file), 'utf8'),
          ]),
        );
        const shown = [...pages.values()].flatMap(
          (html) => html.match(/(?<=\/guide\/pictures\/)[\w.-]+/g) ?? [],
        );
        for (const name of new Set(shown)) cpSync(join(pictures, name), join(folder, 'pictures', name));
        const policy = policyFor([...pages.values()]);
        for (const [file, html] of pages)
          writeFileSync(
            join(folder, file),
            html.replace('<head>', `<head><meta http-equiv="Content-Security-Policy" content="${policy}">`),
          );
        const broken = brokenLinks(folder, pages);
        if (broken.length > 0) throw new Error(`Links that lead nowhere:\n${broken.join('\n')}`);
      },
    },
  };
}

/** Nothing from anywhere else. The few scripts that are part of the pages are named by their hashes. */
function policyFor(pages: readonly string[]): string {
  const scripts = pages.flatMap((html) =>
    Array.from(
      html.matchAll(/<script(?![^>]*\ssrc=)[^>]*>([\s\S]*?)<\/script>/g),
      ([, script = '']) => script,
    ),
  );
  const hashes = [...new Set(scripts)].map(
    (script) => `'sha256-${createHash('sha256').update(script).digest('base64')}'`,
  );
  return [
    "default-src 'none'",
    // The search is WebAssembly.
    `script-src 'self' 'wasm-unsafe-eval' ${hashes.toSorted().join(' ')}`,
    "style-src 'self'",
    // The colours of code are attributes.
    "style-src-attr 'unsafe-inline'",
    "font-src 'self'",
    "img-src 'self' data:",
    "connect-src 'self'",
    "worker-src 'self'",
    "form-action 'none'",
    "base-uri 'none'",
  ].join('; ');
}
