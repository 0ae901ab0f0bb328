import { flesch } from 'flesch';
import { fromMarkdown } from 'mdast-util-from-markdown';
import { toString as textOf } from 'mdast-util-to-string';
import { syllable } from 'syllable';
import { visit } from 'unist-util-visit';

const segments = {
  sentence: new Intl.Segmenter('en', { granularity: 'sentence' }),
  word: new Intl.Segmenter('en', { granularity: 'word' }),
};

/** The paragraphs of a page, without tables, code and HTML; inline code counts as one word. */
function paragraphsOf(markdown: string): string[] {
  const tree = fromMarkdown(markdown.replace(/^\s*\|.*$/gm, ''));
  const paragraphs: string[] = [];
  visit(tree, 'inlineCode', (node) => {
    node.value = 'code';
  });
  visit(tree, 'paragraph', (node) => {
    paragraphs.push(textOf(node).replace(/\s+/g, ' '));
  });
  return paragraphs;
}

export interface Readability {
  readonly words: number;
  readonly perSentence: number;
  /** Flesch's reading ease: 60 to 70 is plain English, more is easier. */
  readonly ease: number;
}

/** How easily a page reads. */
export function readability(markdown: string): Readability {
  let [sentences, words, syllables] = [0, 0, 0];
  for (const sentence of paragraphsOf(markdown).flatMap(sentencesOf)) {
    const found = wordsOf(sentence);
    if (found.length === 0) continue;
    sentences += 1;
    words += found.length;
    for (const word of found) syllables += syllable(word);
  }
  return {
    words,
    perSentence: words / sentences,
    ease: flesch({ sentence: sentences, word: words, syllable: syllables }),
  };
}

const sentencesOf = (paragraph: string): string[] =>
  Array.from(segments.sentence.segment(paragraph), ({ segment }) => segment.trim());

const wordsOf = (text: string): string[] =>
  Array.from(segments.word.segment(text)).flatMap(({ segment, isWordLike }) => (isWordLike ? [segment] : []));
