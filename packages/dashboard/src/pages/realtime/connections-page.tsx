import { useQuery } from '@tanstack/react-query';
import { Link, useNavigate, useParams, useSearch } from '@tanstack/react-router';
import { type LiveConnection, liveConnectionsQuery } from '../../api/live-now.ts';
import { Page } from '../../frame/page.tsx';
import { moment } from '../../kit/figures.ts';
import { Table } from '../../kit/table.tsx';
import { when } from '../../kit/when.ts';
import { texts } from '../../texts.ts';
import { NowList } from './now-list.tsx';
import { RealtimeHead } from './realtime-head.tsx';
import css from './realtime-page.module.css';

const { liveNow: words } = texts;
const from = '/signed-in/p/$ref/realtime/connections';

/** Who is connected, what each follows, and in which rooms it is. */
export function ConnectionsPage() {
  const { ref } = useParams({ from });
  const { page = 1 } = useSearch({ from });
  const navigate = useNavigate();
  const look = (next: number) =>
    void navigate({
      to: '/p/$ref/realtime/connections',
      params: { ref },
      search: next > 1 ? { page: next } : {},
    });
  return (
    <Page>
      <RealtimeHead projectRef={ref} lead={words.connectionsText} />
      <NowList
        found={useQuery(liveConnectionsQuery(ref, page))}
        page={page}
        onPage={look}
        count={words.connectionCount}
        empty={{ title: words.noConnections, text: words.noConnectionsText }}
      >
        {(connections) => (
          <div className={css.now}>
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
          </div>
        )}
      </NowList>
    </Page>
  );
}

interface OfConnection {
  readonly connection: LiveConnection;
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
