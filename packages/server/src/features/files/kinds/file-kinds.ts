/** A type of file that can be stored. */
export interface FileKind {
  /** As it appears in the file's URL. A name that ends in an alias of it counts as this kind. */
  readonly extension: string;
  readonly contentType: string;
  /** `image`: can be resized; its size in pixels is recorded. `active`: a browser could run what is in it. */
  readonly nature: 'image' | 'media' | 'text' | 'active' | 'data';
  /** Do the first bytes of the content fit? */
  readonly fits: (head: Buffer) => boolean;
}

/** How much of the beginning of a file decides whether it fits its type. */
export const headBytes = 4096;

/** How much of the beginning is needed: in images the size in pixels comes after what cameras write there. */
export const wantedHead = ({ nature }: Pick<FileKind, 'nature'>): number =>
  nature === 'image' ? 262_144 : headBytes;

/**
 * Only fixed beginnings are compared; nothing is unpacked or parsed, because code that looks at hostile bytes must be
 * small. Archives begin like the other formats built on them, which does no harm: they are only ever downloaded.
 */
const kinds: readonly FileKind[] = [
  kind('jpg', 'image/jpeg', 'image', startsWith('ff d8 ff')),
  kind('png', 'image/png', 'image', startsWith('89 50 4e 47 0d 0a 1a 0a')),
  kind('webp', 'image/webp', 'image', (head) => ascii(head, 0, 'RIFF') && ascii(head, 8, 'WEBP')),
  kind('gif', 'image/gif', 'image', (head) => ascii(head, 0, 'GIF87a') || ascii(head, 0, 'GIF89a')),
  kind('svg', 'image/svg+xml', 'active', isSvg),
  kind('pdf', 'application/pdf', 'media', (head) => ascii(head, 0, '%PDF-')),
  kind(
    'docx',
    'application/vnd.openxmlformats-officedocument.wordprocessingml.document',
    'data',
    startsWith('50 4b 03 04'),
  ),
  kind('txt', 'text/plain', 'text', isText),
  kind('csv', 'text/csv', 'text', isText),
  kind('mp4', 'video/mp4', 'media', (head) => ascii(head, 4, 'ftyp') && !ascii(head, 8, 'qt  ')),
  kind('mov', 'video/quicktime', 'media', isQuickTime),
  kind('webm', 'video/webm', 'media', isWebm),
  kind('zip', 'application/zip', 'data', isZip),
  kind('tar.gz', 'application/gzip', 'data', startsWith('1f 8b 08')),
];

const byExtension = new Map(kinds.map((kind) => [kind.extension, kind]));
const aliases = new Map([
  ['jpeg', 'jpg'],
  ['tgz', 'tar.gz'],
]);

export const supportedExtensions: readonly string[] = [...byExtension.keys()];

/** The kind that a file's name claims. */
export function kindOfName(name: string): FileKind | undefined {
  const lower = name.toLowerCase();
  const last = lower.slice(lower.lastIndexOf('.') + 1);
  const extension = lower.endsWith('.tar.gz') ? 'tar.gz' : (aliases.get(last) ?? last);
  // A name that is only an extension claims nothing.
  const isOnlyThat = lower === `.${last}` || lower === `.${extension}`;
  return lower.includes('.') && !isOnlyThat ? byExtension.get(extension) : undefined;
}

/** The kind of a stored file. */
export function kindOf(extension: string): FileKind {
  const kind = byExtension.get(extension);
  if (!kind) throw new Error(`A file of an unknown kind is stored: ${extension}`);
  return kind;
}

function kind(
  extension: string,
  contentType: string,
  nature: FileKind['nature'],
  fits: (head: Buffer) => boolean,
): FileKind {
  return { extension, contentType, nature, fits };
}

function startsWith(hex: string): (head: Buffer) => boolean {
  const beginning = Buffer.from(hex.replaceAll(' ', ''), 'hex');
  return (head) => head.subarray(0, beginning.length).equals(beginning);
}

function ascii(head: Buffer, at: number, text: string): boolean {
  return head.toString('latin1', at, at + text.length) === text;
}

/** No control characters except those of text, in any encoding that extends ASCII; or the byte order mark of UTF-16. */
function isText(head: Buffer): boolean {
  if (startsWith('ff fe')(head) || startsWith('fe ff')(head)) return true;
  // oxlint-disable-next-line no-control-regex
  return !/[\x00-\x08\x0e-\x1a\x1c-\x1f\x7f]/.test(head.toString('latin1'));
}

/** Text whose first element is svg. */
function isSvg(head: Buffer): boolean {
  if (!isText(head)) return false;
  let rest = head.toString('utf8').replace(/^\uFEFF/, '');
  for (;;) {
    rest = rest.trimStart();
    const [opening, closing] = prologue.find(([start]) => rest.startsWith(start)) ?? [];
    if (opening === undefined) return /^<svg[\s>/]/.test(rest);
    const end = rest.indexOf(closing, opening.length);
    // Entities are declared in brackets; no image needs them.
    if (end === -1 || (opening === doctype && rest.slice(0, end).includes('['))) return false;
    rest = rest.slice(end + closing.length);
  }
}

const doctype = '<!DOCTYPE svg';
const prologue = [
  ['<?xml', '?>'],
  ['<!--', '-->'],
  [doctype, '>'],
] as const;

/** Either the brand of QuickTime, or one of the atoms that files from before brands begin with. */
function isQuickTime(head: Buffer): boolean {
  if (ascii(head, 4, 'ftyp')) return ascii(head, 8, 'qt  ');
  return ['moov', 'mdat', 'wide', 'free', 'skip', 'pnot'].some((atom) => ascii(head, 4, atom));
}

/** EBML whose document type is webm. */
function isWebm(head: Buffer): boolean {
  return (
    startsWith('1a 45 df a3')(head) && head.subarray(0, 128).includes(Buffer.from('4282847765626d', 'hex'))
  );
}

/** A zip file with entries, or an empty one. */
function isZip(head: Buffer): boolean {
  return startsWith('50 4b 03 04')(head) || startsWith('50 4b 05 06')(head);
}
