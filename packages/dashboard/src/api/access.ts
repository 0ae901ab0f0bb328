import { queryOptions } from '@tanstack/react-query';
import { type Action, keyOf, type Place, pathOf } from './collection.ts';
import { askManaged, manage } from './management.ts';

/** One condition of a rule, held against a document and a caller. */
export interface ConditionVerdict {
  readonly condition: string;
  readonly passed: boolean;
  readonly found?: unknown;
  readonly comparedWith: unknown;
}

/** How one rule judges. */
export interface Verdict {
  readonly action: Action;
  readonly field?: string;
  readonly rule: string;
  readonly allowed: boolean;
  readonly reason: string;
  readonly conditions: readonly ConditionVerdict[];
}

export interface Explanation {
  readonly allowed: boolean;
  readonly reason: string;
  readonly verdicts: readonly Verdict[];
}

export interface Question {
  /** Id of an app user, or one that could be; null: nobody is signed in. */
  readonly as: string | Readonly<Record<string, unknown>> | null;
  readonly action: Action;
  readonly id?: string;
  readonly document?: Readonly<Record<string, unknown>>;
  readonly query?: string;
}

export const explainQuery = (place: Place, question: Question) =>
  queryOptions({
    queryKey: [...keyOf(place, 'access'), 'explain', question],
    queryFn: ({ signal }) =>
      manage<Explanation>(`${pathOf(place)}/explain`, { method: 'POST', body: question, signal }),
    retry: false,
  });

export interface SeenDocument {
  readonly id: string;
  readonly [field: string]: unknown;
}

interface Seen {
  readonly data: readonly SeenDocument[];
  readonly total?: number;
}

/** The documents of a collection as a user sees them, or `nobody` who is signed in. */
export const seenByQuery = (place: Place, as: string, query: string) =>
  queryOptions({
    queryKey: [...keyOf(place, 'access'), 'seen', as, query],
    queryFn: ({ signal }) =>
      askManaged<Seen>(`${pathOf(place)}?limit=20${query === '' ? '' : `&${query}`}`, { signal, as }),
    retry: false,
  });

/** The newest documents, to pick one of. */
export const someDocumentsQuery = (place: Place) =>
  queryOptions({
    queryKey: keyOf(place, 'some'),
    queryFn: ({ signal }) =>
      manage<readonly SeenDocument[]>(`${pathOf(place)}?limit=50&orderBy=-createdAt`, { signal }),
  });

export interface FoundUser {
  readonly id: string;
  readonly email?: string | null;
  readonly role?: string;
}

/** App users whose address has a text in it. */
export const findUsersQuery = (projectRef: string, text: string) =>
  queryOptions({
    queryKey: ['projects', projectRef, 'find-users', text],
    queryFn: ({ signal }) => {
      const filter = text === '' ? '' : `&email_contains=${encodeURIComponent(text)}`;
      return manage<readonly FoundUser[]>(`/p/${projectRef}/auth-collections/users?limit=8${filter}`, {
        signal,
      });
    },
  });

export const userQuery = (projectRef: string, id: string) =>
  queryOptions({
    queryKey: ['projects', projectRef, 'found-user', id],
    queryFn: ({ signal }) => manage<FoundUser>(`/p/${projectRef}/auth-collections/users/${id}`, { signal }),
    retry: false,
  });
