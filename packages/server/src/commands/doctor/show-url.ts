/** The address without user, password and parameters, which may hold secrets too. */
export function showUrl(url: string): string {
  return url.replace(/\?.*$/s, '').replace(/\/\/.*@/s, '//');
}
