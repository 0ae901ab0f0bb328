import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { httpReference, type OpenApi } from './http-reference.ts';
import { sidebar } from './sidebar.ts';

export interface Doc {
  /** Its file in `docs`, without `.md`. */
  readonly page: string;
  readonly title: string;
  /** Its first paragraph, as plain text. */
  readonly summary: string;
  /** As it is in its file, without the title. */
  readonly body: string;
  readonly isGenerated: boolean;
}

const folder = join(import.meta.dirname, '../../../docs');
/** The OpenAPI document, which a build prints first. */
export const openApiFile = join(import.meta.dirname, '../.astro/openapi.json');

function readDoc(page: string, text: string, isGenerated: boolean): Doc {
  const [, title, body] = /^# (.*)\n([\s\S]*)$/.exec(text) ?? [];
  if (title === undefined || body === undefined) throw new Error(`docs/${page}.md has no title.`);
  return { page, title: title.replaceAll('`', ''), summary: summaryOf(body), body: body.trim(), isGenerated };
}

function summaryOf(body: string): string {
  const first = body.split(/\n{2,}/).find((part) => /^[A-Za-z`*[]/.test(part.trim())) ?? '';
  const plain = first.replace(/\[([^\]]*)\]\([^)]*\)/g, '$1').replace(/[`*]/g, '');
  return plain.replace(/\s+/g, ' ').trim();
}

/** Every page of the site: the files in `docs`, and the HTTP reference. */
export function readDocs(): Doc[] {
  const files = globSync('{*,recipes/*}.md', { cwd: folder }).map((file) =>
    readDoc(file.replace(/\.md$/, ''), readFileSync(join(folder, file), 'utf8'), false),
  );
  const api = JSON.parse(readFileSync(openApiFile, 'utf8')) as OpenApi;
  const reference = httpReference(api).map(({ page, text }) => readDoc(page, text, true));
  return [...files, ...reference];
}

/** The pages in the order of the sidebar; throws if one is missing there, or listed and not written. */
export function inSidebar(docs: readonly Doc[]): { label: string; isFolded: boolean; docs: Doc[] }[] {
  const byPage = new Map(docs.map((doc) => [doc.page, doc]));
  const groups = sidebar.map(({ label, pages, isFolded = false }) => ({
    label,
    isFolded,
    docs: pages.map((page) => {
      const doc = byPage.get(page);
      if (doc === undefined) throw new Error(`The sidebar lists ${page}, which is not in docs.`);
      byPage.delete(page);
      return doc;
    }),
  }));
  const reference = [...byPage.values()].filter(({ isGenerated }) => isGenerated);
  for (const { page } of reference) byPage.delete(page);
  if (byPage.size > 0)
    throw new Error(`Not in the sidebar (packages/site/src/sidebar.ts): ${[...byPage.keys()].join(', ')}`);
  return [...groups, { label: 'HTTP', isFolded: true, docs: reference }];
}
