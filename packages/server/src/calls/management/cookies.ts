/** A cookie of the dashboard. No script reads it, and no other host sets it. */
export interface CookieKind {
  /** Over https; the prefix `__Host-` keeps other hosts and paths from setting it. */
  readonly secureName: `__Host-${string}`;
  /** Over http on this machine, where some browsers keep no secure cookies. */
  readonly plainName: string;
  readonly keptForS: number;
  /** `Lax`: also sent when a link or redirect of another site leads here. */
  readonly sameSite: 'Strict' | 'Lax';
}

/** The value of the first cookie that has one of these names, and the form that a value must have. */
export function cookieIn(
  cookies: string | undefined,
  names: readonly string[],
  form: RegExp,
): string | undefined {
  for (const piece of cookies?.split(';') ?? []) {
    const [name = '', value = ''] = piece.trim().split('=', 2);
    if (names.includes(name) && form.test(value)) return value;
  }
  return undefined;
}

/** Keeps a value in the browser; an empty one is forgotten there. */
export function writeCookie(kind: CookieKind, value: string, isPlain: boolean): string {
  const name = isPlain ? kind.plainName : kind.secureName;
  const maxAge = value === '' ? 0 : kind.keptForS;
  const ends = isPlain ? '' : '; Secure';
  return `${name}=${value}; Path=/; Max-Age=${maxAge}; HttpOnly; SameSite=${kind.sameSite}${ends}`;
}
