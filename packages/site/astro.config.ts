import { join } from 'node:path';
import starlight from '@astrojs/starlight';
import { defineConfig } from 'astro/config';
import { finish } from './finish.ts';
import { inSidebar, readDocs } from './src/docs.ts';
import { base, slugOf } from './src/links.ts';

const docs = readDocs();
const pictures = join(import.meta.dirname, '../../docs/pictures');

/** Without it, a line that a busy machine takes half a second for is left without colors, and two builds differ. */
const timeless = {
  preprocess(_code: string, options: object) {
    Object.assign(options, { tokenizeTimeLimit: 0 });
  },
};

/** Starlight loads its search once the browser is idle, which one on a busy machine may never be. */
const soon = `if (window.requestIdleCallback) {
  const whenIdle = window.requestIdleCallback.bind(window);
  window.requestIdleCallback = (run) => whenIdle(run, { timeout: 500 });
}`;

export default defineConfig({
  srcDir: 'packages/site/src',
  publicDir: 'packages/site/public',
  outDir: 'packages/site/dist',
  cacheDir: 'packages/site/.astro',
  base,
  trailingSlash: 'always',
  // No script or style in the pages themselves, apart from the few lines that Starlight needs before the first picture.
  build: { inlineStylesheets: 'never' },
  // Components of packages are not scripts that Node could load itself.
  vite: { build: { assetsInlineLimit: 0 }, resolve: { noExternal: [/astro/] } },
  devToolbar: { enabled: false },
  prefetch: false,
  integrations: [
    starlight({
      title: 'Plinth',
      logo: { light: `${pictures}/wordmark.svg`, dark: `${pictures}/wordmark-dark.svg`, replacesTitle: true },
      favicon: '/pictures/icon.svg',
      social: [{ icon: 'github', label: 'GitHub', href: 'https://github.com/plinth/plinth' }],
      disable404Route: true,
      head: [{ tag: 'script', content: soon }],
      customCss: ['./packages/site/src/site.css'],
      // Nothing to scroll to the side, with fingers or without a mouse.
      expressiveCode: {
        defaultProps: { wrap: true, overridesByLang: { 'sh,bash': { frame: 'none' } } },
        shiki: { transformers: [timeless] },
      },
      markdown: { processedDirs: ['docs'] },
      sidebar: inSidebar(docs).map(({ label, isFolded, docs }) => ({
        label,
        collapsed: isFolded,
        items: docs.map(({ page, title }) => ({ label: title, slug: slugOf(page) || 'index' })),
      })),
    }),
    finish(docs, pictures),
  ],
});
