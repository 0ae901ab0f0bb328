import { isIP } from 'node:net';

/** Keys, refresh tokens, and the tokens of users. */
const secretForm = /^(?:pl[a-z]_|eyJ)/;
const secretName = /token|secret|passw|signature|ticket|key|code|auth|otp|pin/i;
/** Codes and tokens that came to a wrong address are longer than names and ids. */
const longestPlain = 40;
const longestValue = 200;
const longestText = 1000;
const mostParameters = 50;
const hidden = '…';

/** May a path of a route have to be changed? */
const isOdd = /\/(?:pl[a-z]_|eyJ)|%|[^\x21-\x7e]/;

/** A path that may be kept: without what looks like a secret. Of a path that is no route, only short parts stay. */
export function redactPath(path: string, isRoute: boolean): string {
  if (isRoute && path.length <= longestText && !isOdd.test(path)) return path;
  const parts = path.slice(0, longestText).split('/');
  return parts
    .map((part) => (isSecret(part) || (!isRoute && part.length > longestPlain) ? hidden : printable(part)))
    .join('/');
}

/** A query string that may be kept: the names, and the values if they are asked for. */
export function redactQuery(query: string, withValues: boolean): string {
  const parameters = query.split('&', mostParameters).map((parameter) => {
    const end = parameter.indexOf('=');
    const name = end === -1 ? parameter : parameter.slice(0, end);
    const value = end === -1 ? undefined : parameter.slice(end + 1);
    const shownName = isSecret(name) || name.length > longestPlain ? hidden : printable(name);
    if (value === undefined) return shownName;
    const isShown = withValues && !secretName.test(decoded(name)) && !isSecret(value);
    return `${shownName}=${isShown ? printable(value.slice(0, longestValue)) : hidden}`;
  });
  return parameters.join('&').slice(0, longestText);
}

const longestMessage = 300;
/** What a parser says of a text has pieces of the text. */
const ofParser = /(not valid JSON): .*$/s;

/**
 * What was said of a failure, as it may be kept: without addresses of people and networks, and without what looks like a
 * secret. Of a call whose address may hold one, nothing that was quoted stays.
 */
export function redactMessage(message: string, isOfSecretCall: boolean): string {
  const text = message.slice(0, 2 * longestMessage).replace(ofParser, '$1.');
  const told = isOfSecretCall ? text.replaceAll(/"[^"]*"?/g, `"${hidden}"`) : text;
  return told
    .replaceAll(/[^\s"'(),]+/g, (word) => (mayBeTold(word) ? word : hidden))
    .slice(0, longestMessage)
    .replaceAll(/\p{C}/gu, '?');
}

function mayBeTold(word: string): boolean {
  const plain = word.replace(/[.:]+$/, '');
  const isAddress = isIP(plain) !== 0 || /.@./.test(plain);
  return !isAddress && !isSecret(plain) && (plain.length <= longestPlain || /^https?:/.test(plain));
}

export function isSecret(text: string): boolean {
  return secretForm.test(text) || (text.includes('%') && secretForm.test(decoded(text)));
}

/** Nothing that PostgreSQL or a terminal would stumble over. */
function printable(text: string): string {
  return text.replaceAll(/[^\x21-\x7e]/g, '?');
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
