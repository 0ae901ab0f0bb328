import type { ConnectionReport, RoomReport } from '@plinth/protocol';
import type { Gateway } from '../transports/index.ts';
import type { Part, Question } from './survey.ts';

type Connections = Pick<Gateway, 'reportsOf'>;

/** What this node knows of a project: the fullest rooms, the latest connections. */
export function ownPart(gateway: Connections, { about, projectId, most }: Question): Part {
  const reports = gateway.reportsOf(projectId);
  const entries = about === 'rooms' ? roomsOf(reports) : latestFirst(reports);
  const told = about === 'rooms' ? entries : latestFirst(reports).map(shortened);
  return { entries: told.slice(0, most), total: entries.length };
}

function fullestFirst(rooms: readonly RoomReport[]): RoomReport[] {
  return rooms.toSorted((a, b) => b.members - a.members || (a.room < b.room ? -1 : 1));
}

export function latestFirst(connections: readonly ConnectionReport[]): ConnectionReport[] {
  return connections.toSorted((a, b) =>
    a.connectedAt === b.connectedAt ? compare(a.id, b.id) : compare(b.connectedAt, a.connectedAt),
  );
}

const compare = (a: string, b: string): number => (a < b ? -1 : 1);

/** Counts each room once, whichever nodes its members are at. */
export function addUp(parts: readonly (readonly RoomReport[])[]): RoomReport[] {
  const counts = new Map<string, number>();
  for (const { room, members } of parts.flat()) counts.set(room, (counts.get(room) ?? 0) + members);
  return fullestFirst(Array.from(counts, ([room, members]) => ({ room, members })));
}

function roomsOf(reports: readonly ConnectionReport[]): RoomReport[] {
  return addUp(reports.map(({ rooms }) => rooms.map((room) => ({ room, members: 1 }))));
}

/** Subscriptions and rooms of one connection that are told of, and how much of a filter. */
const mostTold = 10;
const longestFilter = 200;

function shortened(report: ConnectionReport): ConnectionReport {
  return {
    ...report,
    subscriptions: report.subscriptions
      .slice(0, mostTold)
      .map(({ collection, filter }) => ({ collection, filter: filter.slice(0, longestFilter) })),
    rooms: report.rooms.slice(0, mostTold),
  };
}
