const dayMs = 24 * 3600_000;

/** The moment so many days from now. Null: never; undefined: nothing was said. */
export function expiryOf(days: number | null | undefined): Date | null | undefined {
  return typeof days === 'number' ? new Date(Date.now() + days * dayMs) : days;
}
