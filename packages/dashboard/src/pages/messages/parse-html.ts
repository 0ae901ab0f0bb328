export interface Element {
  readonly tag: string;
  readonly attributes: Readonly<Record<string, string>>;
  readonly children: (Element | string)[];
}

const empty = new Set(['area', 'br', 'col', 'hr', 'img', 'input', 'link', 'meta', 'source', 'wbr']);
const raw = new Set(['style', 'script', 'title', 'textarea', 'noscript']);
/** Those that end where the next of their kind begins. */
const followed = new Set(['p', 'li', 'td', 'th', 'tr', 'dt', 'dd']);
const opening = /<([a-z][a-z0-9:-]*)((?:[^>"']|"[^"]*"|'[^']*')*)>/iy;
const closing = /<\/([a-z][a-z0-9:-]*)[^>]*>/iy;
const attribute = /([^\s"'>/=]+)(?:\s*=\s*(?:"([^"]*)"|'([^']*)'|([^\s"'>]+)))?/g;

/** Reads HTML as mails have it. What a browser would mend in other ways may look a little different. */
export function parseHtml(html: string): Element {
  const root: Element = { tag: '#root', attributes: {}, children: [] };
  const open: Element[] = [root];
  const here = () => open.at(-1) ?? root;
  for (let at = 0; at < html.length; ) {
    if (html.startsWith('<!--', at)) at = after(html, '-->', at + 4);
    else if (html.startsWith('<!', at)) at = after(html, '>', at);
    else if (matchAt(closing, html, at)) {
      const [whole = '', tag = ''] = matchAt(closing, html, at) ?? [];
      const found = open.findLastIndex((element) => element.tag === tag.toLowerCase());
      if (found > 0) open.length = found;
      at += whole.length;
    } else if (matchAt(opening, html, at)) {
      const [whole = '', name = '', rest = ''] = matchAt(opening, html, at) ?? [];
      const tag = name.toLowerCase();
      if (followed.has(tag) && here().tag === tag) open.pop();
      const element: Element = { tag, attributes: attributesIn(rest), children: [] };
      here().children.push(element);
      at += whole.length;
      if (raw.has(tag)) {
        const end = html.toLowerCase().indexOf(`</${tag}`, at);
        element.children.push(html.slice(at, end < 0 ? undefined : end));
        at = end < 0 ? html.length : after(html, '>', end);
      } else if (!empty.has(tag) && !rest.endsWith('/')) open.push(element);
    } else {
      const next = html.indexOf('<', at + 1);
      here().children.push(decode(html.slice(at, next < 0 ? undefined : next)));
      at = next < 0 ? html.length : next;
    }
  }
  return root;
}

function after(html: string, mark: string, from: number): number {
  const at = html.indexOf(mark, from);
  return at < 0 ? html.length : at + mark.length;
}

function matchAt(pattern: RegExp, html: string, at: number): RegExpExecArray | null {
  pattern.lastIndex = at;
  return pattern.exec(html);
}

function attributesIn(text: string): Record<string, string> {
  return Object.fromEntries(
    [...text.matchAll(attribute)].map(([, name = '', double, single, bare]) => [
      name.toLowerCase(),
      decode(double ?? single ?? bare ?? ''),
    ]),
  );
}

const entities: Readonly<Record<string, string>> = {
  amp: '&',
  lt: '<',
  gt: '>',
  quot: '"',
  apos: "'",
  nbsp: '\u00a0',
  copy: '©',
  reg: '®',
  euro: '€',
  ndash: '–',
  mdash: '—',
  hellip: '…',
  middot: '·',
  bull: '•',
  laquo: '«',
  raquo: '»',
  lsquo: '‘',
  rsquo: '’',
  ldquo: '“',
  rdquo: '”',
  zwnj: '\u200c',
};

function decode(text: string): string {
  return text.replaceAll(/&(#x[0-9a-f]{1,6}|#\d{1,7}|[a-z]+);/gi, (whole, name: string) => {
    if (!name.startsWith('#')) return entities[name.toLowerCase()] ?? whole;
    const point = /^#x/i.test(name) ? Number.parseInt(name.slice(2), 16) : Number(name.slice(1));
    return point > 0 && point <= 0x10ffff ? String.fromCodePoint(point) : whole;
  });
}
