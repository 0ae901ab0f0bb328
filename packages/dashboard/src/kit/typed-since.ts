/** What was typed after something was sent. */
export const typedSince = <Typed extends object>(now: Typed, sent: Typed): Typed =>
  Object.fromEntries(
    Object.entries(now).filter(([name, value]) => value !== (sent as Record<string, unknown>)[name]),
  ) as Typed;
