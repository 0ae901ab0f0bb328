import { type DefaultTreeAdapterTypes, parse } from 'parse5';

export interface Element {
  readonly tag: string;
  readonly attributes: Readonly<Record<string, string>>;
  readonly children: readonly (Element | string)[];
}

/** Reads HTML as a browser does, into plain elements: the page's policy lets no text become HTML by itself. */
export const parseHtml = (html: string): Element => ({
  tag: '#root',
  attributes: {},
  children: parse(html).childNodes.flatMap(readNode),
});

function readNode(node: DefaultTreeAdapterTypes.ChildNode): (Element | string)[] {
  if ('value' in node) return [node.value];
  if (!('tagName' in node)) return [];
  const attributes = Object.fromEntries(node.attrs.map(({ name, value }) => [name, value]));
  return [{ tag: node.tagName, attributes, children: node.childNodes.flatMap(readNode) }];
}
