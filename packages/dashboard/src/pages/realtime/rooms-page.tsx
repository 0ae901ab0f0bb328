import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { liveRoomsQuery } from '../../api/live-now.ts';
import { Page } from '../../frame/page.tsx';
import { Table } from '../../kit/table.tsx';
import { texts } from '../../texts.ts';
import { NowList } from './now-list.tsx';
import { RealtimeHead } from './realtime-head.tsx';
import css from './realtime-page.module.css';
import { usePage } from './use-page.ts';

const { liveNow: words } = texts;

/** The rooms that somebody is in, and how many are in each. */
export function RoomsPage() {
  const { ref, page, onPage } = usePage('rooms');
  return (
    <Page>
      <RealtimeHead projectRef={ref} lead={words.roomsText} />
      <NowList
        found={useQuery(liveRoomsQuery(ref, page))}
        page={page}
        onPage={onPage}
        count={words.roomCount}
        empty={{ title: words.noRooms, text: words.noRoomsText }}
      >
        {(rooms) => (
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
        )}
      </NowList>
    </Page>
  );
}
