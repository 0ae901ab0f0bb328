import { type Config, parseCells, parsePooledCells } from '../../platform/config/config.ts';

/** Shorter ones would be found in any text. */
const shortest = 4;

/** Takes secrets of the configuration out of a text, should somebody else's message hold one. */
export function hideSecrets(config: Config): (text: string) => string {
  const urls = [
    ...parseCells(config).values(),
    ...parsePooledCells(config).values(),
    config.REDIS_URL ?? '',
    config.SMTP_URL ?? '',
  ];
  const secrets = [
    config.SECRET_KEY,
    ...config.OLD_SECRET_KEYS.split(/\s+/),
    config.S3_SECRET_ACCESS_KEY ?? '',
    config.FUNCTIONS_POOL_SECRET ?? '',
    config.ACCOUNT_OIDC_CLIENT?.replace(/^[^:]*:/, '') ?? '',
    ...config.OTEL_EXPORTER_OTLP_HEADERS.split(',').flatMap(valueIn),
    ...urls.flatMap(passwordsIn),
  ].filter((secret) => secret.length >= shortest);
  return (text) => secrets.reduce((rest, secret) => rest.replaceAll(secret, '…'), text);
}

/** Of a header, as it is written and as it is sent. */
function valueIn(header: string): string[] {
  const value = header.replace(/^[^=]*=/, '').trim();
  return [value, decoded(value)];
}

function passwordsIn(url: string): string[] {
  const [, written = ''] = /^[a-z+]+:\/\/[^:@/]*:(.*)@/.exec(url) ?? [];
  const named = Array.from(url.matchAll(/[?&]\w*password=([^&]+)/g), ([, value = '']) => value);
  return [written, ...named].flatMap((password) => [password, decoded(password)]);
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
