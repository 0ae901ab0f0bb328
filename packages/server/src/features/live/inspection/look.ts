import type { ConnectionReport, RoomReport } from '@plinth/protocol';
import { invalidQuery, type PageInfo, type RequestContext, readPage } from '../../../calls/index.ts';
import { addUp, latestFirst } from './own-part.ts';
import type { Seen, Survey } from './survey.ts';

/** Rooms or connections that can be paged through. @limit invalid_query */
const mostShown = 1000;

interface Looked<Entry> {
  readonly entries: readonly Entry[];
  readonly page: PageInfo;
  readonly seen: Seen;
  /** How many nodes have told. */
  readonly nodes: number;
}

type Asker = Pick<Survey, 'ask'>;
type Reader = Pick<RequestContext, 'project'>;

/** The rooms of the project, the fullest first. */
export async function lookAtRooms(survey: Asker, reader: Reader, queryString: string) {
  const read = await pageOf(queryString);
  const { parts, seen } = await survey.ask({
    about: 'rooms',
    projectId: reader.project.id,
    // A room may have members at several nodes: only all that each knows adds up.
    most: mostShown,
  });
  const rooms = addUp(parts.map(({ entries }) => entries as RoomReport[]));
  const isFloor = parts.some(({ total, entries }) => total > entries.length);
  return looked(rooms, { read, seen, nodes: parts.length, total: rooms.length, isFloor });
}

/** The live connections of the project, the latest first. */
export async function lookAtConnections(survey: Asker, reader: Reader, queryString: string) {
  const read = await pageOf(queryString);
  const { parts, seen } = await survey.ask({
    about: 'connections',
    projectId: reader.project.id,
    most: read.offset + read.limit,
  });
  const connections = latestFirst(parts.flatMap(({ entries }) => entries as ConnectionReport[]));
  const total = parts.reduce((sum, part) => sum + part.total, 0);
  return looked(connections, { read, seen, nodes: parts.length, total, isFloor: false });
}

async function pageOf(queryString: string) {
  const { limit, offset } = await readPage(queryString, { defaultLimit: 50, maxLimit: 100 });
  if (offset + limit > mostShown) throw invalidQuery('offset', `Only the first ${mostShown} can be listed.`);
  return { limit, offset };
}

interface Found {
  readonly read: { readonly limit: number; readonly offset: number };
  readonly seen: Seen;
  readonly nodes: number;
  readonly total: number;
  readonly isFloor: boolean;
}

function looked<Entry>(all: readonly Entry[], found: Found): Looked<Entry> {
  const { read, seen, nodes, total } = found;
  const { limit, offset } = read;
  const end = Math.min(offset + limit, mostShown);
  const hasMore = all.length > end || (total > end && end < mostShown);
  // Where a node has not answered, there may be more.
  const totalIsFloor = found.isFloor || seen === 'some';
  return {
    entries: all.slice(offset, end),
    page: { total, totalIsFloor, limit, offset, hasMore, nextCursor: null },
    seen,
    nodes,
  };
}
