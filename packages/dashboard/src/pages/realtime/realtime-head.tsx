import { Link } from '@tanstack/react-router';
import { Head } from '../../kit/head.tsx';
import { Tabs } from '../../kit/tabs.tsx';
import { texts } from '../../texts.ts';

const { realtime: words, liveNow } = texts;

/** The title, and what there is to look at. */
export function RealtimeHead({
  projectRef: ref,
  lead,
}: {
  readonly projectRef: string;
  readonly lead: string;
}) {
  const params = { ref };
  return (
    <>
      <Head title={words.title} lead={lead} />
      <Tabs label={liveNow.tabs}>
        <Link
          to="/p/$ref/realtime"
          params={params}
          search={{}}
          activeOptions={{ exact: true, includeSearch: false }}
        >
          {liveNow.listen}
        </Link>
        <Link
          to="/p/$ref/realtime/rooms"
          params={params}
          search={{}}
          activeOptions={{ includeSearch: false }}
        >
          {liveNow.rooms}
        </Link>
        <Link
          to="/p/$ref/realtime/connections"
          params={params}
          search={{}}
          activeOptions={{ includeSearch: false }}
        >
          {liveNow.connections}
        </Link>
      </Tabs>
    </>
  );
}
