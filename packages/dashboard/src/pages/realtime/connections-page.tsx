import type { ConnectionReport } from '@plinth/protocol';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { liveConnectionsQuery } from '../../api/live-now.ts';
import { Page } from '../../frame/page.tsx';
import { moment } from '../../kit/figures.ts';
import { Table } from '../../kit/table.tsx';
import { when } from '../../kit/when.ts';
import { texts } from '../../texts.ts';
import { NowList } from './now-list.tsx';
import { RealtimeHead } from './realtime-head.tsx';
import css from './realtime-page.module.css';
import { usePage } from './use-page.ts';

const { liveNow: words } = texts;

/** Who is connected, what each follows, and in which rooms it is. */
export function ConnectionsPage() {
  const { ref, page, onPage } = usePage('connections');
  return (
    <Page>
      <RealtimeHead projectRef={ref} lead={words.connectionsText} />
      <NowList
        found={useQuery(liveConnectionsQuery(ref, page))}
        page={page}
        onPage={onPage}
        count={words.connectionCount}
        empty={{ title: words.noConnections, text: words.noConnectionsText }}
      >
        {(connections) => (
          <Table label={words.connections} heads={words.connectionHeads}>
            {connections.map((one) => (
              <tr key={one.id}>
                <td className={css.name}>
                  <Who connection={one} projectRef={ref} />
                </td>
                <td>
                  <time dateTime={one.connectedAt} title={moment(one.connectedAt)}>
                    {when(one.connectedAt)}
                  </time>
                </td>
                <td>{words.transports[one.transport]}</td>
                <td className={css.follows}>
                  <Follows connection={one} projectRef={ref} />
                </td>
                <td className={css.follows}>
                  <Rooms connection={one} />
                </td>
              </tr>
            ))}
          </Table>
        )}
      </NowList>
    </Page>
  );
}

interface OfConnection {
  readonly connection: ConnectionReport;
  readonly projectRef: string;
}

function Who({ connection: { user, credential }, projectRef: ref }: OfConnection) {
  if (user === null) return words.credentials[credential];
  return (
    <Link to="/p/$ref/users/$id" params={{ ref, id: user }}>
      {user}
    </Link>
  );
}

function Follows({ connection: { subscriptions, subscriptionCount }, projectRef: ref }: OfConnection) {
  if (subscriptionCount === 0) return <span className={css.quiet}>{words.nothing}</span>;
  const rest = subscriptionCount - subscriptions.length;
  return (
    <ul className={css.list}>
      {subscriptions.map(({ collection, filter }) => (
        <li key={`${collection}?${filter}`}>
          <Link
            to="/p/$ref/data/$collection"
            params={{ ref, collection }}
            search={filter === '' ? {} : { filter }}
          >
            {collection}
          </Link>
          {filter !== '' && <code> {filter}</code>}
        </li>
      ))}
      {rest > 0 && <li>{words.more(rest)}</li>}
    </ul>
  );
}

function Rooms({ connection: { rooms, roomCount } }: Pick<OfConnection, 'connection'>) {
  if (roomCount === 0) return <span className={css.quiet}>{words.nothing}</span>;
  const rest = roomCount - rooms.length;
  return `${rooms.join(', ')}${rest > 0 ? `, ${words.more(rest)}` : ''}`;
}
