import type { Client } from './create-client.ts';
import type { ProjectTypes } from './project-types.ts';

const defaultName = 'plinth-token';
const lastsS = 30 * 86_400;

/**
 * In the page: tells the server that renders it who is signed in, with a cookie. It only contains the token, so it cannot
 * be used to impersonate another user. Returns a function to stop.
 */
export function keepTokenInCookie<P extends ProjectTypes>(
  { auth }: Client<P>,
  { name = defaultName }: { readonly name?: string } = {},
): () => void {
  const write = async () => {
    const token = await auth.token().catch(() => undefined);
    const secure = location.protocol === 'https:' ? '; Secure' : '';
    const age = token === undefined ? 0 : lastsS;
    // oxlint-disable-next-line unicorn/no-document-cookie -- the Cookie Store API is not in every browser
    document.cookie = `${name}=${token ?? ''}; Path=/; SameSite=Lax; Max-Age=${age}${secure}`;
  };
  return auth.subscribe(({ status }) => {
    if (status !== 'loading') void write();
  });
}

/** On the server: reads the token of a request, for `createClient({ url, token })`. */
export function tokenFromCookie(
  cookies: string | null | undefined,
  { name = defaultName }: { readonly name?: string } = {},
): string | undefined {
  const found = cookies?.split(/; */).find((cookie) => cookie.startsWith(`${name}=`));
  return found?.slice(name.length + 1) || undefined;
}
