import { existsSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { base } from './src/links.ts';

/** Each link of the built pages to a page, a part of one, or a file that is not there. */
export function brokenLinks(folder: string, pages: ReadonlyMap<string, string>): string[] {
  const idsOf = new Map(
    [...pages].map(([file, html]) => [
      file,
      new Set(Array.from(html.matchAll(/\sid="([^"]+)"/g), ([, id = '']) => id)),
    ]),
  );
  const leads = (from: string, target: string): boolean => {
    const { pathname, hash } = new URL(target, `http://site${base}/${from.replace(/index\.html$/, '')}`);
    if (!pathname.startsWith(`${base}/`)) return false;
    const path = decodeURIComponent(pathname.slice(base.length + 1));
    const file = path === '' || path.endsWith('/') ? `${path}index.html` : path;
    const anchor = decodeURIComponent(hash.slice(1));
    const ids = idsOf.get(file);
    if (ids === undefined)
      return anchor === '' && existsSync(join(folder, file)) && statSync(join(folder, file)).isFile();
    return anchor === '' || ids.has(anchor);
  };
  return [...pages].flatMap(([file, html]) => {
    const targets = new Set(
      Array.from(html.matchAll(/<(?:a|img|link|script)\s[^>]*?(?:href|src)="([^"]*)"/g), ([, target = '']) =>
        target.replaceAll('&#38;', '&').replaceAll('&amp;', '&'),
      ),
    );
    return [...targets]
      .filter((target) => !/^(https?|mailto|data):/.test(target) && !leads(file, target))
      .map((target) => `${file}: ${target}`);
  });
}
