import { useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useSignOut } from '../api/account.ts';
import { type CollectionRecord, collectionsQuery } from '../api/collections.ts';
import { projectsQuery } from '../api/projects.ts';
import { applyLook, readLook } from '../look.ts';
import { texts } from '../texts.ts';
import { pathOfId } from './ids.ts';
import { navigation } from './navigation.ts';

const { frame: words } = texts;

/** Something to go to, or to do. */
export interface Place {
  readonly name: string;
  readonly kind: string;
  readonly go: () => void;
  /** There are many of these: they are listed only if somebody types. */
  readonly isRare?: boolean;
}

/** Everything that can be gone to from here; what was typed may itself be the id of something. */
export function usePlaces(ref: string | undefined, typed: string): readonly Place[] {
  const ofProject = useProjectPlaces(ref, typed);
  const projects = useInfiniteQuery(projectsQuery).data?.pages.flatMap((page) => page.data) ?? [];
  const navigate = useNavigate();
  const actions = useActions();
  return [
    ...ofProject,
    { name: words.projects, kind: words.page, go: () => void navigate({ to: '/' }) },
    { name: words.account, kind: words.page, go: () => void navigate({ to: '/account' }) },
    ...projects
      .filter((project) => project.ref !== ref && project.deletedAt === undefined)
      .map(({ ref: other, name }) => ({
        name,
        kind: words.project,
        go: () => void navigate({ to: '/p/$ref', params: { ref: other } }),
      })),
    ...actions,
  ];
}

function useProjectPlaces(ref: string | undefined, typed: string): readonly Place[] {
  const navigate = useNavigate();
  const { data = [] } = useQuery({ ...collectionsQuery(ref ?? ''), enabled: ref !== undefined });
  if (ref === undefined) return [];
  const collections = data.filter(({ name }) => typeof name === 'string');
  const open = (collection: string, search: { doc?: string } = {}) =>
    void navigate({ to: '/p/$ref/data/$collection', params: { ref, collection }, search });
  return [
    ...placeOfId(ref, typed, collections, (to, search) => void navigate({ to, search })),
    ...navigation.flat().map(({ to, name }) => ({
      name,
      kind: words.page,
      go: () => void navigate({ to, params: { ref } }),
    })),
    ...collections.map(({ name }) => ({ name, kind: words.collection, go: () => open(name) })),
    ...collections.map(({ name }) => ({
      name: words.newDocument(name),
      kind: words.action,
      go: () => open(name, { doc: 'new' }),
      isRare: true,
    })),
  ];
}

type Go = (to: string, search: { doc?: string }) => void;

/** The id of a document, a user or a call says what it is of. */
function placeOfId(ref: string, typed: string, collections: readonly CollectionRecord[], go: Go): Place[] {
  const path = pathOfId(typed.trim(), collections);
  if (!path) return [];
  const { kind, to, doc } = path;
  const search = doc === undefined ? {} : { doc };
  return [{ name: words.openId[kind], kind: typed.trim(), go: () => go(`/p/${ref}${to}`, search) }];
}

function useActions(): readonly Place[] {
  const signOut = useSignOut();
  const { themes } = texts.account;
  const looks = (['dark', 'light', 'system'] as const).map((theme) => ({
    name: words.colours(themes[theme]),
    kind: words.action,
    go: () => applyLook({ ...readLook(), theme }),
  }));
  return [...looks, { name: texts.account.signOut, kind: words.action, go: () => signOut.mutate() }];
}
