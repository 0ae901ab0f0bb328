import { pino } from 'pino';
import { CollectionDirectory } from '../../../src/features/data/collections/index.ts';
import { LinkCatalogue } from '../../../src/features/data/links/index.ts';
import { hasLinks, matches } from '../../../src/features/data/query/index.ts';
import { bindRule } from '../../../src/features/data/rules/bind-rule.ts';
import { passes } from '../../../src/features/data/rules/check-rules.ts';
import { ReadingScopes, ruleOf } from '../../../src/features/data/rules/index.ts';
import { parseRule } from '../../../src/features/data/rules/parse-rule.ts';
import { userScope } from '../../../src/features/people/index.ts';
import { parseCells } from '../../../src/platform/config/config.ts';
import { DatabaseServer } from '../../../src/platform/db/database-server.ts';
import { InvalidationListener } from '../../../src/platform/invalidation/invalidation-listener.ts';
import { projectWithLimits } from '../../support/project-with-limits.ts';
import type { TestApp } from '../../support/test-app.ts';
import type { ModelDocument, World } from './model.ts';
import type { Caller } from './oracle.ts';

export type MemoryReader = (
  collection: string,
  documents: World['posts'],
  caller: Caller,
) => Promise<string[]>;

/** The rule bound by the product and matched in memory, as a live subscription does; through links in SQL, on the document as a row. */
export async function memoryReader(t: TestApp, ref: string): Promise<MemoryReader> {
  const log = pino({ level: 'fatal' });
  // Listeners that do not listen: everything is looked up anew.
  const listeners = new Map(
    Array.from(parseCells(t.config), ([cell, url]) => [
      cell,
      new InvalidationListener(new DatabaseServer(url), log),
    ]),
  );
  const directory = new CollectionDirectory(t.cells, listeners);
  const scopes = new ReadingScopes(
    directory,
    new LinkCatalogue(t.cells, listeners, { collections: directory, users: userScope.table }),
    userScope,
  );
  const project = await projectWithLimits(t.control, ref);
  const db = t.cells.forProject(project);
  return async (name, documents, caller) => {
    const collection = await directory.get({ project }, name);
    const { settings } = collection;
    const principal = {
      isTrusted: false,
      ...(caller && { user: { ...caller, sessionId: '', profile: async () => caller } }),
    };
    const scope = await scopes.documents({ project, principal: { isTrusted: true }, db }, collection);
    const filter = await bindRule(
      parseRule(ruleOf(collection, 'read')),
      { principal, db },
      { settings, scope },
    );
    const allowed: string[] = [];
    for (const document of documents) {
      const checked = asChecked(document);
      const passed = hasLinks(filter)
        ? await passes({ db }, collection, filter, checked)
        : matches(filter, { ...checked, createdAt: Date.parse(document.createdAt) });
      if (passed) allowed.push(document.id);
    }
    return allowed;
  };
}

function asChecked({ id, updatedAt, ...rest }: ModelDocument) {
  const { createdAt: _, ...data } = rest;
  return { id, updatedAt: Date.parse(updatedAt), data };
}
