// @postgres newest
import { errorCatalogue } from '@plinth/protocol';
import { expect, test } from 'vitest';
import { configOf } from '../../src/features/control/projects/index.ts';
import { checkProviderSettings } from '../../src/features/people/identities/index.ts';
import {
  supportedLanguages,
  templateNames,
  templateOf,
  variablesOf,
} from '../../src/features/people/mail-texts/index.ts';
import { checkMailSettings, checkSmsSettings } from '../../src/features/people/messages/index.ts';
import { keepFrom } from '../support/http-example.ts';
import { blocksOf, readPage, tablesOf } from '../support/markdown.ts';
import { newAppleKey } from './sample-settings.ts';

const page = readPage('docs/auth.md');
const rowsUnder = (path: string, head: string) =>
  tablesOf(readPage(path)).find((table) => table.head[0] === head)!.rows;
const namesIn = (cell: string) => (cell === '–' ? [] : cell.replaceAll('`', '').split(', '));

test('docs/auth.md lists every template with its variables and what it must hold', () => {
  const common = rowsUnder('docs/auth.md', 'in every template').map(([name]) => name!);
  const listed = rowsUnder('docs/auth.md', 'template').map(([name, , own, purpose]) => [
    name,
    [...common.filter((one) => name !== 'sms-code' || one !== 'email'), ...namesIn(own!)].toSorted(),
    namesIn(purpose!),
  ]);
  expect(listed).toEqual(
    templateNames.map((name) => [
      name,
      variablesOf(name).toSorted(),
      [templateOf(name).purpose ?? []].flat(),
    ]),
  );
});

test('docs/auth.md and docs/users.md list every configuration key with its default', () => {
  const listed = ['docs/auth.md', 'docs/users.md'].flatMap((path) =>
    rowsUnder(path, 'key').map(([name, fallback]) => [name, fallback]),
  );
  const expected = Object.entries(configOf({ configs: {} })).map(([name, value]) => [
    name,
    `${value ?? '–'}`,
  ]);
  expect(Object.fromEntries(listed)).toEqual(Object.fromEntries(expected));
});

test('docs/auth.md names every language', () => {
  const [, sentence] = /^Emails, text messages and pages are in (.*?)\. /m.exec(page)!;
  expect(Array.from(sentence!.matchAll(/`(\w+)`/g), ([, language]) => language)).toEqual(supportedLanguages);
});

test('docs/auth.md gives each error the status it has', () => {
  const statuses: Record<string, { status: number }> = errorCatalogue;
  for (const [code, status] of rowsUnder('docs/auth.md', 'code')) {
    expect([code, statuses[code!]?.status]).toEqual([code, Number(status)]);
  }
});

test('docs/auth.md shows only settings that are accepted', () => {
  const shown = blocksOf(page)
    .filter(({ language }) => language === 'json')
    .map(({ text }) => JSON.parse(text.replaceAll('…', 'x')) as Record<string, unknown>);
  const kinds = shown.map((settings) => {
    if ('host' in settings) return [checkMailSettings(settings), 'mail'][1];
    if ('kind' in settings) return checkSmsSettings(settings).kind;
    const name = 'team_id' in settings ? 'apple' : 'issuer' in settings ? 'acme' : 'google';
    checkProviderSettings(name, { ...settings, ...(name === 'apple' && { private_key: newAppleKey() }) });
    return name;
  });
  expect(kinds).toEqual(['mail', 'webhook', 'twilio', 'google', 'apple', 'acme']);
});

test('docs/auth.md says which settings each provider needs and takes', () => {
  const rows = rowsUnder('docs/auth.md', 'provider');
  expect(rows.map(([name]) => name)).toEqual(['google', 'apple', 'github', 'a name of your own']);
  for (const [name, needs, takes] of rows) {
    const provider = name === 'a name of your own' ? 'acme' : name!;
    const value = (setting: string) => {
      if (setting === 'private_key') return newAppleKey();
      return setting === 'issuer' || setting === 'base_url' ? 'https://login.acme.example' : 'something';
    };
    const settings = (names: readonly string[]) =>
      Object.fromEntries(names.map((setting) => [setting, value(setting)]));
    const needed = namesIn(needs!);
    const all = [...needed, ...namesIn(takes!)];
    expect(checkProviderSettings(provider, settings(all))).toBeDefined();
    for (const missing of needed) {
      const rest = settings(needed.filter((setting) => setting !== missing));
      expect(() => checkProviderSettings(provider, rest), `${provider} without ${missing}`).toThrow(missing);
    }
    const others = ['client_secret', 'issuer', 'base_url', 'team_id', 'scopes'].filter(
      (setting) => !all.includes(setting),
    );
    for (const other of others) {
      expect(() => checkProviderSettings(provider, settings([...all, other])), other).toThrow(other);
    }
  }
});

/** What is used of Mermaid: a diagram with a line of another form may not be drawn at all. */
const diagramLine = /^ {2}(?:(?:actor|participant) \w+|\w+-?->>\w+: [^;#]+|Note over \w+(?:,\w+)?: [^;#]+)$/;

test.each(blocksOf(page).filter(({ language }) => language === 'mermaid'))(
  'docs/auth.md, line $line: a sequence diagram between those it names',
  ({ text }) => {
    const [kind, ...lines] = text.split('\n');
    expect(kind).toBe('sequenceDiagram');
    expect(lines.filter((line) => !diagramLine.test(line))).toEqual([]);
    const named = Array.from(text.matchAll(/^ {2}(?:actor|participant) (\w+)$/gm), ([, name]) => name);
    const used = Array.from(text.matchAll(/^ {2}(\w+)-?->>(\w+):/gm), ([, from, to]) => [from, to]).flat();
    expect(new Set(used)).toEqual(new Set(named));
  },
);

test('each flow of docs/auth.md has a diagram', () => {
  const flows = page
    .split(/^## /m)
    .filter((section) => /curl -s "\$BASE/.test(section) && !section.startsWith('Setting up'));
  expect(flows.length).toBe(9);
  for (const flow of flows) expect(flow).toContain('```mermaid');
});

test('a message that does not hold what is shown, in this order, fails', () => {
  const text = 'Hello Ada,\n\nYour code:\n\n123456\n\nBye.';
  const kept = new Map<string, string>();
  keepFrom(text, ['Hello …,', 'Your code:', '<code>'], kept);
  expect(kept.get('code')).toBe('123456');
  expect(() => keepFrom(text, ['Hello Bob,'], kept)).toThrow();
  expect(() => keepFrom(text, ['Bye.', '<code>'], kept)).toThrow();
  expect(() => keepFrom(text.replace('123456', '654321'), ['<code>'], kept)).toThrow();
});
