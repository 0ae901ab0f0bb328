interface Looked {
  readonly address: string;
  readonly collection: string;
  readonly filter: string;
  readonly sort: string;
}

/** Safe between the single quotes of a shell or of TypeScript. */
const forShell = (text: string): string => `'${text.replaceAll("'", String.raw`'\''`)}'`;
const forCode = (text: string): string => `'${text.replace(/[\\']/g, String.raw`\$&`)}'`;

/** A list as an address, as a line for a terminal, and as code. */
export function callTexts({ address, collection, filter, sort }: Looked) {
  const parameters = [filter, sort && `orderBy=${sort}`].filter(Boolean).join('&');
  const query = parameters.replaceAll(' ', '%20').replaceAll('#', '%23');
  const url = `${address}/collections/${encodeURIComponent(collection)}${query && `?${query}`}`;
  // Brackets are groups of the language, and patterns to curl.
  const curl = `curl -g ${forShell(url)} -H "X-API-Key: $PLINTH_KEY"`;
  const steps = [
    `plinth.collection(${forCode(collection)})`,
    ...(filter ? [`where(${forCode(filter)})`] : []),
    ...(sort ? [`orderBy(${sort.split(',').map(forCode).join(', ')})`] : []),
    'page()',
  ];
  const typeScript = [
    "import { createClient } from '@plinth/client';",
    '',
    `const plinth = createClient({ url: ${forCode(address)} });`,
    `const { items } = await ${steps.join('.')};`,
    '',
  ].join('\n');
  return { url, curl, typeScript };
}
