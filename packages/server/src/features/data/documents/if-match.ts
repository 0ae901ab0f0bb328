/** What If-Match allows: any of these versions; undefined: any version there is. */
export type AllowedVersions = ReadonlySet<number> | undefined;

type Headers = Readonly<Record<string, string | string[] | undefined>>;

/** The versions that If-Match names. A tag of another form names none. */
export function readIfMatch(headers: Headers): AllowedVersions {
  const text = headers['if-match'];
  if (text === undefined || text === '*') return undefined;
  const tags = String(text)
    .split(',')
    .map((tag) => /^\s*"(\d{1,10})"\s*$/.exec(tag)?.[1]);
  return new Set(tags.filter((tag) => tag !== undefined).map(Number));
}
