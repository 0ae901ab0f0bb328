import type { Delivery } from '../../api/deliveries.ts';
import { codeTexts } from '../../code-texts.ts';
import { when } from '../../kit/when.ts';

const { deliveries: words } = codeTexts;

/** What is known of a delivery, in a line: when, what went wrong, and what comes next. */
export function factsOf({ status, attempts, at, dueAt, error }: Delivery): string {
  const begun = (status === 'delivered' ? words.delivered : words.happened)(when(at));
  const next = dueAt === null ? undefined : (attempts > 0 ? words.next : words.due)(when(dueAt));
  return [
    attempts > 0 ? `${begun}, ${words.tried(attempts)}` : begun,
    ...(error === null || status === 'delivered' ? [] : [error.replace(/\.$/, '')]),
    ...(next === undefined ? [] : [next]),
  ].join('. ');
}
