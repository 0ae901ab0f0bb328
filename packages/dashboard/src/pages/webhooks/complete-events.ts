import { codeTexts } from '../../code-texts.ts';
import type { Suggestion } from '../../kit/suggest-input.tsx';

const { eventHints: hints, everyCollection } = codeTexts.webhooks;
const mostShown = 12;
const verbs = ['*', 'create', 'update', 'delete'] as const;

export const eventsIn = (text: string): string[] => [...new Set(text.split(/[\s,]+/).filter(Boolean))];

/** The collection that a filter is about, if the events are those of one alone. */
export function onlyCollection(events: readonly string[]): string | undefined {
  const names = new Set(events.map((event) => event.slice(0, event.lastIndexOf('.'))));
  const [name] = names;
  return names.size === 1 && name !== '*' && name !== '' ? name : undefined;
}

/** Events that could be meant by the word before the caret. */
export function completeEvents(text: string, caret: number, collections: readonly string[]): Suggestion[] {
  const start = Math.max(text.lastIndexOf(' ', caret - 1), text.lastIndexOf(',', caret - 1)) + 1;
  const word = text.slice(start, caret);
  const chosen = new Set(eventsIn(text));
  const known = [
    ...collections.flatMap((name) => verbs.map((verb) => [`${name}.${verb}`, hints[verb]] as const)),
    ['users.register', hints.register] as const,
    ['users.login', hints.login] as const,
    ...verbs.map((verb) => [`*.${verb}`, `${hints[verb]}, ${everyCollection}`] as const),
  ];
  return known
    .filter(([event]) => event.toLowerCase().startsWith(word.toLowerCase()) && !chosen.has(event))
    .slice(0, mostShown)
    .map(([event, hint]) => ({
      text: `${text.slice(0, start)}${event} ${text.slice(caret).trimStart()}`,
      label: event,
      hint,
    }));
}
