import type { FunctionRecord } from '../../api/functions.ts';
import { codeTexts } from '../../code-texts.ts';

const { functions: words } = codeTexts;

/** What makes a function run, in a few words. */
export function triggerWords(one: FunctionRecord): string {
  const { kind, access = 'server', event = '', collection, cron = '', options } = one;
  switch (kind) {
    case 'http':
      return words.calledBy[access];
    case 'schedule':
      return words.atTimes(cron, options.timeZone ?? 'UTC');
    case 'hook': {
      const act = event.replace(/^(?:pre|post)_/, '');
      return words.afterEvent(words.acts[act] ?? act, collection);
    }
    case 'task':
      return words.asked;
  }
}
