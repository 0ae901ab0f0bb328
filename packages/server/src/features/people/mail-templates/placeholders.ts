/** A tag in a text, and the sections it is in, as `#name` or `^name`, the outermost first. */
export interface Placeholder {
  readonly kind: 'value' | 'section' | 'inverted' | 'end';
  readonly variable: string;
  readonly inside: readonly string[];
}

interface Found {
  readonly placeholders: Placeholder[];
  /** Why the text cannot be used. */
  readonly problem?: string;
}

const mostPlaceholders = 200;
const deepest = 5;
const longestTag = 60;
const tag = /^([#^/]?)\s*(\w+)\s*$/;

/**
 * The placeholders of a text, if it keeps to the part of Mustache that is allowed: names, sections, inverted sections.
 * We read them ourselves: Mustache's search for the end of a tag takes time that grows with the square of the blanks.
 */
export function placeholdersIn(text: string): Found {
  const placeholders: Placeholder[] = [];
  let inside: readonly string[] = [];
  const fails = (problem: string): Found => ({ placeholders, problem });

  for (let start = text.indexOf('{{'); start !== -1; start = text.indexOf('{{', start)) {
    const end = text.indexOf('}}', start + 2);
    if (end === -1 || end - start > longestTag) return fails(`A "{{" is not closed: ${excerpt(text, start)}`);
    const written = text.slice(start + 2, end).trimStart();
    const refused = refusal(written);
    if (refused !== undefined) return fails(`${refused} Remove it: ${excerpt(text, start)}`);
    const [, sign = '', variable] = tag.exec(written) ?? [];
    if (variable === undefined) return fails(`This is not a placeholder: ${excerpt(text, start)}`);

    const kind = kindOf(sign);
    if (kind === 'end') {
      if (inside.at(-1)?.slice(1) !== variable)
        return fails(`"{{/${variable}}}" closes a section that is not open.`);
      inside = inside.slice(0, -1);
    }
    placeholders.push({ kind, variable, inside });
    if (placeholders.length > mostPlaceholders) return fails(`More than ${mostPlaceholders} placeholders.`);
    if (kind === 'section' || kind === 'inverted') inside = [...inside, `${sign}${variable}`];
    if (inside.length > deepest) return fails(`More than ${deepest} levels of nested sections.`);
    start = end + 2;
  }
  const open = inside.at(-1);
  return open === undefined ? { placeholders } : fails(`The section "{{${open}}}" is not closed.`);
}

function kindOf(sign: string): Placeholder['kind'] {
  if (sign === '#') return 'section';
  if (sign === '^') return 'inverted';
  return sign === '/' ? 'end' : 'value';
}

function refusal(written: string): string | undefined {
  if (/^[{&]/.test(written)) return 'Values are always escaped; "{{{…}}}" and "{{&…}}" are not allowed.';
  if (written.startsWith('>')) return 'Partials ("{{>…}}") are not supported.';
  if (written.startsWith('=')) return 'The delimiters cannot be changed ("{{=…=}}").';
  if (written.startsWith('!')) return 'Comments ("{{!…}}") are not supported.';
  return undefined;
}

const excerpt = (text: string, start: number) => JSON.stringify(text.slice(start, start + 40));
