/** The first match counts: other browsers call themselves Chrome or Safari too. */
const browsers = [
  ['Edge', /\bEdg(?:e|A|iOS)?\//],
  ['Opera', /\bOPR\//],
  ['Samsung Internet', /\bSamsungBrowser\//],
  ['Firefox', /\b(?:Firefox|FxiOS)\//],
  ['Chrome', /\b(?:Chrome|CriOS)\//],
  ['Safari', /\bSafari\//],
] as const;

const systems = [
  ['Android', /\bAndroid\b/],
  ['iPhone', /\biPhone\b/],
  ['iPad', /\biPad\b/],
  ['Windows', /\bWindows\b/],
  ['ChromeOS', /\bCrOS\b/],
  ['macOS', /\bMac OS X\b/],
  ['Linux', /\bLinux\b/],
] as const;

/**
 * What a person calls the device behind a User-Agent header: "Firefox, Windows". It has only words of ours: the header is
 * written by the caller, and mails must not carry what a caller writes.
 */
export function deviceName(userAgent: string | undefined): string | undefined {
  const known = (userAgent ?? '').slice(0, 500);
  const words = [browsers, systems].map((list) => list.find(([, sign]) => sign.test(known))?.[0]);
  return words.filter(Boolean).join(', ') || undefined;
}
