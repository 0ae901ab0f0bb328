import { endOfString } from '../json-text.ts';

const [quote, colon] = [0x22, 0x3a];
const [openBrace, openBracket, closeBrace, closeBracket] = [0x7b, 0x5b, 0x7d, 0x5d];
const blanks = new Set([0x20, 0x09, 0x0a, 0x0d]);

interface JsonMeasures {
  /** How many names of fields there are. */
  readonly names: number;
  /** How deep objects and arrays are nested. */
  readonly levels: number;
}

/** What makes a JSON text slow to read, found without reading it. Of what is not JSON, the figures mean nothing. */
export function measureJson(text: string): JsonMeasures {
  let [names, levels, level] = [0, 0, 0];
  for (let at = 0; at < text.length; at += 1) {
    const code = text.charCodeAt(at);
    if (code === quote) at = endOfString(text, at);
    else if (code === colon) names += 1;
    else if (code === openBrace || code === openBracket) {
      level += 1;
      if (level > levels) levels = level;
    } else if (code === closeBrace || code === closeBracket) level -= 1;
  }
  return { names, levels };
}

/** Are there more different names than so many? Those that come again cost little. */
export function hasMoreNames(text: string, most: number): boolean {
  const names = new Set<string>();
  for (let at = 0; at < text.length && names.size <= most; at += 1) {
    if (text.charCodeAt(at) !== quote) continue;
    const end = endOfString(text, at);
    if (isBeforeColon(text, end + 1)) names.add(text.slice(at + 1, end));
    at = end;
  }
  return names.size > most;
}

function isBeforeColon(text: string, start: number): boolean {
  let at = start;
  while (blanks.has(text.charCodeAt(at))) at += 1;
  return text.charCodeAt(at) === colon;
}
