/**
 * The naive oracle, first half: what a condition asks of one value, written from the contract's text alone. It shares
 * no code with the product, and is slow and simple on purpose.
 */

/** What a value is compared with: text of a query, or the typed value of a reference. */
export type Compared = { readonly text: string } | { readonly value: string | number | boolean };

/** Does a stored value (undefined: absent) pass an operator that is not a negation? */
export function passes(stored: unknown, operator: string, compared: readonly Compared[]): boolean {
  const [first] = compared;
  switch (operator) {
    case '':
    case 'in':
      return compared.some((one) => elementsOf(stored).some((element) => isThis(element, one)));
    case 'not null':
      return stored !== undefined && stored !== null;
    case 'contains':
      if (Array.isArray(stored))
        return stored.some((element) => isThis(element, first!) || isAlike(element, first!));
      return typeof stored === 'string' && stored.toLowerCase().includes(searched(first!));
    case 'startswith':
      return typeof stored === 'string' && stored.toLowerCase().startsWith(searched(first!));
    case 'endswith':
      return typeof stored === 'string' && stored.toLowerCase().endsWith(searched(first!));
    default:
      return inOrder(stored, operator, first!);
  }
}

/** The same for a time, given as ISO text on both sides. */
export function timePasses(stored: string, operator: string, [compared]: readonly Compared[]): boolean {
  const text = 'text' in compared! ? compared.text : String(compared!.value);
  return orderHolds(operator, Date.parse(stored) - Date.parse(text));
}

const elementsOf = (stored: unknown): unknown[] => (Array.isArray(stored) ? stored : [stored]);

const readsAsNumber = (text: string) => /^-?(0|[1-9][0-9]*)(\.[0-9]+)?([eE][-+]?[0-9]+)?$/.test(text);

/** A text may mean a string, a number or a boolean; the value of a reference means itself. */
function isThis(stored: unknown, compared: Compared): boolean {
  if ('value' in compared) return stored === compared.value;
  const { text } = compared;
  if (typeof stored === 'number') return readsAsNumber(text) && stored === Number(text);
  if (typeof stored === 'boolean') return text === String(stored);
  return stored === text;
}

const searched = (compared: Compared): string =>
  ('text' in compared ? compared.text : String(compared.value)).toLowerCase();

const isAlike = (element: unknown, compared: Compared): boolean =>
  typeof element === 'string' && element.toLowerCase() === searched(compared);

function inOrder(stored: unknown, operator: string, compared: Compared): boolean {
  const to =
    'value' in compared
      ? compared.value
      : readsAsNumber(compared.text)
        ? Number(compared.text)
        : compared.text;
  if (typeof to === 'boolean' || typeof stored !== typeof to) return false;
  if (typeof to === 'number') return orderHolds(operator, (stored as number) - to);
  return orderHolds(operator, (stored as string) < to ? -1 : stored === to ? 0 : 1);
}

function orderHolds(operator: string, difference: number): boolean {
  switch (operator) {
    case 'gt':
      return difference > 0;
    case 'gte':
      return difference >= 0;
    case 'lt':
      return difference < 0;
    case 'lte':
      return difference <= 0;
    default:
      throw new Error(`The oracle does not know "${operator}".`);
  }
}
