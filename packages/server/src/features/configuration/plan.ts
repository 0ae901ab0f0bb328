import { isDeepStrictEqual } from 'node:util';
import { replaceTemplate, restoreTemplate } from '../people/index.ts';
import { planCollections } from './plan-collections.ts';
import type { Current } from './read-configuration.ts';
import { type Given, mailOf } from './read-given.ts';
import type { Step } from './step.ts';
import { type Change, changed } from './words.ts';

/** What is to be done, in order: first in the cell, then in control. */
export interface Plan {
  readonly steps: readonly Step[];
  readonly ofProject: readonly Change[];
}

export function makePlan(current: Current, given: Given): Plan {
  const steps = [...planCollections(current, given.collections), ...planMails(current, given.mails)];
  return { steps, ofProject: planProject(current, given) };
}

export const changesOf = ({ steps, ofProject }: Plan): Change[] => [
  ...steps.flatMap(({ changes }) => changes),
  ...ofProject,
];

function planMails({ configuration: { mails: before } }: Current, after: Given['mails']): Step[] {
  if (!after) return [];
  const names = [...new Set([...Object.keys(before), ...Object.keys(after)])].toSorted();
  return names.flatMap((name): Step[] => {
    const [old, text] = [before[name], after[name]];
    if (isDeepStrictEqual(old, text)) return [];
    const place = `mails.${name}`;
    if (!text) {
      const words = `Delete the mail template ${name}: the built-in one is used again.`;
      const run: Step['run'] = async (_deps, context) => {
        await restoreTemplate(context, mailOf(name));
        return undefined;
      };
      return [{ place, changes: [{ path: place, isDestructive: true, words }], run }];
    }
    const words = old ? `Change the mail template ${name}.` : `Replace the built-in mail template ${name}.`;
    const run: Step['run'] = async (_deps, context) => {
      await replaceTemplate(context, mailOf(name), { subject: '', ...text });
      return undefined;
    };
    return [{ place, changes: [{ path: place, isDestructive: false, words }], run }];
  });
}

function planProject({ configuration: before }: Current, after: Given): Change[] {
  const parts = [
    ...entriesOf('settings', before.settings, after.settings),
    ...entriesOf('configs', before.configs, after.configs),
    ...(after.allowedOrigins
      ? [{ path: 'allowedOrigins', from: before.allowedOrigins, to: after.allowedOrigins }]
      : []),
  ];
  return parts.filter(({ from, to }) => !isDeepStrictEqual(from, to)).map(changed);
}

function entriesOf(place: string, before: object, after: object | undefined) {
  if (!after) return [];
  const [old, next] = [new Map(Object.entries(before)), new Map(Object.entries(after))];
  return [...new Set([...old.keys(), ...next.keys()])].toSorted().map((name) => ({
    path: `${place}.${name}`,
    from: old.get(name) as unknown,
    to: next.get(name) as unknown,
  }));
}
