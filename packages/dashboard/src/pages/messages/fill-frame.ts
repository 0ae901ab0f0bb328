import { type Element, parseHtml } from './parse-html.ts';

/** What has no place in a mail, or would do something. */
const left = new Set([
  'script',
  'noscript',
  'iframe',
  'object',
  'embed',
  'base',
  'meta',
  'link',
  'title',
  'form',
  'input',
]);

/** Nothing in a preview leads anywhere. */
const ownStyle = 'a { pointer-events: none }';

/** Shows a mail in a frame, in the place of what was there. */
export function fillFrame(frame: HTMLIFrameElement, html: string): void {
  const { contentDocument: document, contentWindow: window } = frame;
  if (!document?.body || !window) return;
  const root = parseHtml(html);
  const all = [...elementsIn(root)];
  const body = all.find(({ tag }) => tag === 'body');
  document.adoptedStyleSheets = [
    sheetOf(window, ownStyle, ''),
    ...all
      .filter(({ tag }) => tag === 'style')
      .map(({ children, attributes }) => sheetOf(window, textIn(children), attributes.media ?? '')),
  ];
  for (const name of document.body.getAttributeNames()) document.body.removeAttribute(name);
  if (body) setAttributes(document.body, body);
  const shown = (body ?? root).children.flatMap((child) => nodeOf(document, child) ?? []);
  document.body.replaceChildren(...shown);
}

function* elementsIn({ children }: Element): Generator<Element> {
  for (const child of children) {
    if (typeof child === 'string') continue;
    yield child;
    yield* elementsIn(child);
  }
}

const textIn = (children: Element['children']) =>
  children.filter((child) => typeof child === 'string').join('');

function sheetOf(window: Window, css: string, media: string): CSSStyleSheet {
  // A sheet belongs to the window that it is used in.
  const { CSSStyleSheet: Sheet } = window as Window & typeof globalThis;
  const sheet = new Sheet({ media });
  sheet.replaceSync(css);
  return sheet;
}

function nodeOf(document: Document, node: Element | string): Node | undefined {
  if (typeof node === 'string') return document.createTextNode(node);
  const { tag } = node;
  if (left.has(tag) || tag === 'style' || tag === 'head' || tag.includes(':')) return undefined;
  if (tag === 'html' || tag === 'body') return fragmentOf(document, node);
  if (tag === 'img') return pictureOf(document, node);
  const element = document.createElement(tag);
  setAttributes(element, node);
  element.append(...node.children.flatMap((child) => nodeOf(document, child) ?? []));
  return element;
}

function fragmentOf(document: Document, { children }: Element): Node {
  const fragment = document.createDocumentFragment();
  fragment.append(...children.flatMap((child) => nodeOf(document, child) ?? []));
  return fragment;
}

const taken =
  /^(class|id|lang|dir|align|valign|width|height|bgcolor|border|cell(padding|spacing)|colspan|rowspan|role|alt|title|aria-[a-z]+)$/;

function setAttributes(element: HTMLElement, { tag, attributes }: Element): void {
  for (const [name, value] of Object.entries(attributes)) {
    if (taken.test(name)) element.setAttribute(name, value);
    else if (name === 'style') element.style.cssText = value;
    else if (name === 'href' && tag === 'a' && /^(https?|mailto|tel):/i.test(value)) {
      element.setAttribute(name, value);
      element.tabIndex = -1;
    }
  }
}

/** Pictures of this service are shown, also by another of its names; those of other sites only in the mail itself. */
function pictureOf(document: Document, node: Element): Node {
  const src = node.attributes.src ?? '';
  const own = /^https?:\/\/[^/]+(\/files\/[^#]+)$/.exec(src)?.[1];
  if (own === undefined && !src.startsWith('data:image/')) {
    const instead = document.createElement('span');
    instead.textContent = node.attributes.alt || '▢';
    return instead;
  }
  const picture = document.createElement('img');
  setAttributes(picture, node);
  picture.src = own ?? src;
  return picture;
}
