import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { Loader } from 'astro/loaders';
import { inSidebar, readDocs } from './docs.ts';
import { pageAddress, rewriteLinks, slugOf } from './links.ts';
import { drawSequences } from './sequence-diagram.ts';

const repository = join(import.meta.dirname, '../../..');

/** The pages of `docs` as they are on GitHub, and the HTTP reference. */
export const docsLoader: Loader = {
  name: 'plinth-docs',
  async load(context) {
    const docs = readDocs();
    const titles = new Map(docs.map(({ page, title }) => [page, title]));
    context.store.clear();
    for (const { docs: listed } of inSidebar(docs)) {
      for (const { page, title, summary, body, isGenerated } of listed) {
        const filePath = `docs/${page}.md`;
        const id = slugOf(page) || 'index';
        const editUrl = isGenerated ? false : `https://github.com/plinth/plinth/edit/main/${filePath}`;
        const data = await context.parseData({
          id,
          data: { title, description: summary, editUrl },
          filePath,
        });
        const text = drawSequences(titledBlocks(rewriteLinks(body, page, titles, pageAddress)));
        const fileURL = pathToFileURL(join(repository, filePath));
        const { html, ...rendered } = await context.renderMarkdown(text, { fileURL });
        // A wide table is scrolled, also with a keyboard.
        const focusable = html.replaceAll('<table>', '<table tabindex="0">');
        context.store.set({ id, data, body, filePath, rendered: { ...rendered, html: focusable } });
      }
    }
  },
};

/** A block that says which file it is gets that as its title; languages that only the tests know are text. */
function titledBlocks(text: string): string {
  return text
    .replace(/^```(\w+) ([\w./-]+\.\w+)$/gm, '```$1 title="$2"')
    .replace(/^```(live|mail|sms|browser|authenticator)$/gm, '```text');
}
