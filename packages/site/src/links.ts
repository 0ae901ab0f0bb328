import { statSync } from 'node:fs';
import { join, posix } from 'node:path';

/** Where the site is served. */
export const base = '/guide';
const checkout = join(import.meta.dirname, '../../..');
const repository = 'https://github.com/plinth/plinth';

/** The address of a page below the base: `README` is the page of its folder. */
export const slugOf = (page: string): string => page.replace(/(^|\/)README$/, '');

export function pageAddress(page: string): string {
  const slug = slugOf(page);
  return slug === '' ? `${base}/` : `${base}/${slug}/`;
}

export const twinAddress = (page: string): string => `${base}/${slugOf(page) || 'index'}.md`;

type Address = (page: string) => string;

/**
 * The same text with its links as they are on the site: to other pages as `addressOf` says, to pictures, and to what is
 * not on the site in the repository. `page` is where the text is, `titles` those of all pages.
 */
export function rewriteLinks(
  text: string,
  page: string,
  titles: ReadonlyMap<string, string>,
  addressOf: Address,
): string {
  const rewritten = (target: string): string => {
    const [path = '', anchor] = target.split('#');
    if (path === '' || /^[a-z]+:/.test(path) || path.startsWith('/')) return target;
    const at = posix.join('docs', posix.dirname(page), path);
    const other = at.replace(/^docs\/(.*)\.md$/, '$1');
    const title = titles.get(other);
    const suffix = anchor === undefined || anchor === anchorOf(title ?? '') ? '' : `#${anchor}`;
    if (title !== undefined) return addressOf(other) + suffix;
    const picture = /^docs\/(pictures\/.*)$/.exec(at)?.[1];
    if (picture !== undefined) return `${base}/${picture}`;
    const file = statSync(join(checkout, at), { throwIfNoEntry: false });
    if (file === undefined) throw new Error(`docs/${page}.md has a link to ${target}, which is not there.`);
    return `${repository}/${file.isFile() ? 'blob' : 'tree'}/main/${at.replace(/\/$/, '')}${suffix}`;
  };
  return outsideCode(text, (part) =>
    part.replace(/(\]\()([^()\s]+)(\))/g, (_, open, target, close) => open + rewritten(target) + close),
  );
}

/** The title of a page is not a heading on it: a link to it is one to the page. */
const anchorOf = (title: string) => title.toLowerCase().replaceAll(' ', '-');

/** Changes a text except its blocks of code. */
function outsideCode(text: string, change: (part: string) => string): string {
  return text
    .split(/^(```[^\n]*\n[\s\S]*?^```$)/m)
    .map((part, n) => (n % 2 === 0 ? change(part) : part))
    .join('');
}
