import type { Action, Area, Need } from './scope.ts';

/** What a route is about: a part of the project, or the documents of the collection that its path names. */
type RoutePart = Area | 'collection';

/** What a key with scopes needs to call a route; several are needed together. None: what the call leads to is checked later. */
export type RouteScope = RoutePart | readonly RoutePart[];

declare module 'fastify' {
  interface FastifyContextConfig {
    /** What a key with scopes needs for the call. A route without it is closed to such keys. */
    needs?: readonly RouteNeed[];
  }
}

interface RouteNeed {
  readonly part: RoutePart;
  readonly action: Action;
}

/** What calls of a route need, which only read or do more than that. */
export function needsOf(scope: RouteScope, isRead: boolean): readonly RouteNeed[] {
  return [scope].flat().map((part) => ({ part, action: actionOn(part, isRead) }));
}

function actionOn(part: RoutePart, isRead: boolean): Action {
  if (part === 'realtime') return 'join';
  if (part === 'functions') return 'call';
  if (part === 'messages') return 'send';
  return isRead ? 'read' : 'write';
}

/** What this call needs: the name of its collection is in its path. */
export function needsOfCall(
  needs: readonly RouteNeed[],
  params: Readonly<Record<string, string | undefined>>,
): Need[] {
  return needs.map(({ part, action }) =>
    part === 'collection'
      ? { area: 'documents', action, collection: params.collection ?? '' }
      : { area: part, action },
  );
}
