import { type Doc, inSidebar } from './docs.ts';
import { base, rewriteLinks, slugOf, twinAddress } from './links.ts';

/** Every page as Markdown, at its address and `.md`, and what programs read first: by the names of their files. */
export function twins(docs: readonly Doc[]): Map<string, string> {
  const groups = inSidebar(docs);
  const titles = new Map(docs.map(({ page, title }) => [page, title]));
  const texts = groups.flatMap((group) =>
    group.docs.map((doc) => [`${slugOf(doc.page) || 'index'}.md`, asMarkdown(doc, titles)] as const),
  );
  return new Map([
    ...texts,
    ['llms.txt', listOf(groups)],
    ['llms-full.txt', texts.map(([, text]) => text).join('\n')],
  ]);
}

/** The page as its file has it, with links to the other pages as Markdown. */
function asMarkdown({ page, title, body }: Doc, titles: ReadonlyMap<string, string>): string {
  return `# ${title}\n\n${rewriteLinks(body, page, titles, twinAddress)}\n`;
}

/** The list of pages, as https://llmstxt.org describes it. */
function listOf(groups: ReturnType<typeof inSidebar>): string {
  const parts = groups.map(({ label, docs }) => {
    const lines = docs.map(({ page, title, summary }) => `- [${title}](${twinAddress(page)}): ${summary}`);
    return `## ${label}\n\n${lines.join('\n')}\n`;
  });
  return `# Plinth

> An open-source backend for apps: documents, users, files, realtime and functions on PostgreSQL.

Everything in one text: [llms-full.txt](${base}/llms-full.txt)

${parts.join('\n')}`;
}
