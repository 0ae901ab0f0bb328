/** `{url}?token=<token>`, to the letter: an address with a fragment belongs to an app that routes by it. */
export function linkWithToken(url: string, token: string): string {
  return `${url}${url.includes('?') ? '&' : '?'}token=${token}`;
}
