import { useQuery } from '@tanstack/react-query';
import { Link, useNavigate, useParams, useSearch } from '@tanstack/react-router';
import { liveRoomsQuery } from '../../api/live-now.ts';
import { Page } from '../../frame/page.tsx';
import { Table } from '../../kit/table.tsx';
import { texts } from '../../texts.ts';
import { NowList } from './now-list.tsx';
import { RealtimeHead } from './realtime-head.tsx';
import css from './realtime-page.module.css';

const { liveNow: words } = texts;
const from = '/signed-in/p/$ref/realtime/rooms';

/** The rooms that somebody is in, and how many are in each. */
export function RoomsPage() {
  const { ref } = useParams({ from });
  const { page = 1 } = useSearch({ from });
  const navigate = useNavigate();
  const look = (next: number) =>
    void navigate({ to: '/p/$ref/realtime/rooms', params: { ref }, search: next > 1 ? { page: next } : {} });
  return (
    <Page>
      <RealtimeHead projectRef={ref} lead={words.roomsText} />
      <NowList
        found={useQuery(liveRoomsQuery(ref, page))}
        page={page}
        onPage={look}
        count={words.roomCount}
        empty={{ title: words.noRooms, text: words.noRoomsText }}
      >
        {(rooms) => (
          <div className={css.now}>
            <Table label={words.rooms} heads={words.roomHeads}>
              {rooms.map(({ room, members }) => (
                <tr key={room}>
                  <td className={css.name}>{room}</td>
                  <td>{words.present(members)}</td>
                  <td>
                    <Link
                      to="/p/$ref/realtime"
                      params={{ ref }}
                      search={{ room }}
                      aria-label={words.joinOne(room)}
                    >
                      {words.join}
                    </Link>
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
