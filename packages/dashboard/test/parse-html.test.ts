import { describe, expect, test } from 'vitest';
import { type Element, parseHtml } from '../src/pages/messages/parse-html.ts';

/** Written out again, in one form. */
const written = (node: Element | string): string =>
  typeof node === 'string'
    ? node
    : `<${node.tag}${Object.entries(node.attributes)
        .map(([name, value]) => ` ${name}="${value}"`)
        .join('')}>${node.children.map(written).join('')}</${node.tag}>`;
const read = (html: string) => parseHtml(html).children.map(written).join('');

describe('the HTML of a mail', () => {
  test.each([
    ['<!doctype html><p>Hi<br>there</p>', '<p>Hi<br></br>there</p>'],
    ['<P Class=a TITLE=\'b "c"\'>x</P>', '<p class="a" title="b "c"">x</p>'],
    ['a &amp; b &#8364; &#x20AC; &unknown;', 'a & b € € &unknown;'],
    ['<!--[if mso]><table><![endif]-->x<!--[if !mso]><!-->y<!--<![endif]-->', 'xy'],
    ['<style>a > b { color: red }</style>x', '<style>a > b { color: red }</style>x'],
    ['<ul><li>one<li>two</ul>x', '<ul><li>one</li><li>two</li></ul>x'],
    ['<b>1 < 2</b></i> and <a href="?a=1&amp;b=2">on', '<b>1 < 2</b> and <a href="?a=1&b=2">on</a>'],
    ['<td title="a > b">x', '<td title="a > b">x</td>'],
    ['broken <p title="', 'broken <p title="'],
    ['<style>never ends', '<style>never ends</style>'],
  ])('%s', (html, expected) => {
    expect(read(html)).toBe(expected);
  });
});
