type Part = string | number | Html | readonly Html[] | undefined | false;

/** Markup. Only `html` makes it, so whatever is in it was written in a template or escaped. */
export class Html {
  readonly #text: string;

  constructor(strings: TemplateStringsArray, parts: readonly Part[]) {
    this.#text = strings
      .map((text, index) => text + (index < parts.length ? rendered(parts[index]) : ''))
      .join('');
  }

  toString(): string {
    return this.#text;
  }
}

/** A template of HTML: every value is escaped, for text and for quoted attributes, unless it is HTML already. */
export function html(strings: TemplateStringsArray, ...parts: Part[]): Html {
  return new Html(strings, parts);
}

function rendered(part: Part): string {
  if (part === undefined || part === false) return '';
  if (part instanceof Html) return part.toString();
  return typeof part === 'object' ? part.join('') : escaped(String(part));
}

const entities: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

function escaped(text: string): string {
  return text.replaceAll(/[&<>"']/g, (character) => entities[character] ?? '');
}
