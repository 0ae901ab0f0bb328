/** What If-Match allows; undefined: any version there is. */
export type AllowedVersions =
  | { readonly versions: ReadonlySet<number>; readonly isQuoted: boolean }
  | undefined;

type Headers = Readonly<Record<string, string | string[] | undefined>>;

/** The versions that If-Match names. A tag of another form names none. */
export function readIfMatch(headers: Headers): AllowedVersions {
  const text = headers['if-match'];
  if (text === undefined || text === '*') return undefined;
  const given = String(text)
    .split(',')
    .map((tag) => tag.trim());
  const tags = given.map((tag) => /^"(\d{1,10})"$/.exec(tag)?.[1]);
  return {
    versions: new Set(tags.filter((tag) => tag !== undefined).map(Number)),
    isQuoted: given.every((tag) => /^(?:W\/)?".*"$/.test(tag)),
  };
}
