interface Wish {
  readonly tag: string;
  readonly weight: number;
}

const wish = /^([a-z]{1,8}(?:-[a-z0-9]{1,8}){0,8})(?:\s*;\s*q=([01](?:\.\d{0,3})?))?$/i;

/** The available language that an Accept-Language header prefers: "de" will do for "de-AT". */
export function chooseLanguage<Choice extends string>(
  acceptLanguage: string | undefined,
  available: readonly Choice[],
  fallback: Choice,
): Choice {
  for (const { tag } of wishesIn(acceptLanguage ?? '')) {
    const [base] = tag.split('-');
    const chosen =
      available.find((choice) => choice.toLowerCase() === tag) ??
      available.find((choice) => choice.toLowerCase() === base);
    if (chosen !== undefined) return chosen;
  }
  return fallback;
}

/** What the header asks for, the most wanted first. Parts that cannot be read are ignored. */
function wishesIn(header: string): Wish[] {
  const wishes = header
    .slice(0, 500)
    .split(',')
    .map((part) => wish.exec(part.trim()))
    .filter((found) => found !== null)
    .map(([, tag = '', weight = '1']) => ({ tag: tag.toLowerCase(), weight: Math.min(Number(weight), 1) }));
  return wishes.filter(({ weight }) => weight > 0).toSorted((a, b) => b.weight - a.weight);
}
