import { invalidFileName, invalidPath } from './errors.ts';

/** Characters in a file name. @limit invalid_file_name */
const maxName = 255;
const maxPath = 1024;

// Control characters, and marks that make a name look different from what it is.
const deceiving = /[\p{Cc}\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069\ufeff]/u;
// A path separator or dot that careless software would decode.
const encoded = /%(2e|2f|5c|00)/i;

/** The name as it is stored; refuses names that no honest file has. */
export function checkFileName(given: string): string {
  const name = given.normalize('NFC');
  if (name === '' || name === '.' || name === '..') throw invalidFileName('is missing');
  if (name.length > maxName) throw invalidFileName(`has more than ${maxName} characters`);
  if (/[/\\]/.test(name) || encoded.test(name)) throw invalidFileName('contains a path');
  if (deceiving.test(name) || !name.isWellFormed()) {
    throw invalidFileName('contains control characters or characters that change the text direction');
  }
  return name;
}

/** The folder as it is stored: empty, or segments that each end in a slash. */
export function checkPath(given: string): string {
  const path = given.normalize('NFC');
  if (path === '') return '';
  if (path.length > maxPath) throw invalidPath(`has more than ${maxPath} characters`);
  if (path.startsWith('/')) throw invalidPath('starts with a slash: write "photos/2026/"');
  if (path.includes('\\') || encoded.test(path))
    throw invalidPath('contains a backslash or an encoded character');
  if (deceiving.test(path) || !path.isWellFormed()) {
    throw invalidPath('contains control characters or characters that change the text direction');
  }
  // Lists of folders use it to jump behind everything in a folder.
  if (path.includes('\u{10ffff}')) throw invalidPath('contains an invalid character');
  const segments = (path.endsWith('/') ? path.slice(0, -1) : path).split('/');
  if (segments.some((segment) => segment.trim() === '' || segment === '.' || segment === '..')) {
    throw invalidPath('has a part that is empty or consists of dots');
  }
  return `${segments.join('/')}/`;
}
