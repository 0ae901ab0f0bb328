import { useQuery } from '@tanstack/react-query';
import { Link, useParams } from '@tanstack/react-router';
import { mapQuery, type ProjectMap, usersName } from '../../api/links.ts';
import { Page } from '../../frame/page.tsx';
import { Empty } from '../../kit/empty.tsx';
import { Head } from '../../kit/head.tsx';
import { Problem } from '../../kit/problem.tsx';
import { Row, Rows } from '../../kit/rows.tsx';
import { Section } from '../../kit/section.tsx';
import { Table } from '../../kit/table.tsx';
import { Wait } from '../../kit/wait.tsx';
import { texts } from '../../texts.ts';
import { MapPicture } from './map-picture.tsx';

const { map: words } = texts;

/** The collections of a project and how they belong together. */
export function MapPage() {
  const { ref } = useParams({ from: '/signed-in/p/$ref/map' });
  const { data: map, error, refetch } = useQuery(mapQuery(ref));
  return (
    <Page>
      <Head title={words.title} lead={words.lead} />
      {error && <Problem error={error} onRetry={() => void refetch()} />}
      {!map && !error && <Wait lines={6} />}
      {map?.collections.length === 0 && (
        <Empty title={words.noCollections} text={words.noCollectionsText}>
          <Link to="/p/$ref/data" params={{ ref }}>
            {texts.data.collections}
          </Link>
        </Empty>
      )}
      {map && map.collections.length > 0 && <Mapped projectRef={ref} map={map} />}
    </Page>
  );
}

function Mapped({ projectRef: ref, map }: { readonly projectRef: string; readonly map: ProjectMap }) {
  const { collections, links } = map;
  const linked = new Set(links.flatMap(({ from, to }) => [from, to]));
  const others = collections.filter(({ name }) => !linked.has(name));
  return (
    <>
      {links.length === 0 ? <p>{words.noLinks}</p> : <MapPicture projectRef={ref} map={map} />}
      {links.length > 0 && (
        <Section title={words.list}>
          <Table label={words.all} heads={[words.from, words.field, words.to]}>
            {links.map(({ from, field, to }) => (
              <tr key={`${from} ${field} ${to}`}>
                <td>
                  <Name projectRef={ref} name={from} />
                </td>
                <td>
                  <code>{field}</code>
                </td>
                <td>
                  <Name projectRef={ref} name={to} />
                </td>
              </tr>
            ))}
          </Table>
        </Section>
      )}
      {others.length > 0 && (
        <Section title={words.others}>
          <Rows>
            {others.map(({ id, name, documentCount }) => (
              <Row
                key={id}
                title={<Name projectRef={ref} name={name} />}
                facts={texts.data.documents(documentCount)}
              />
            ))}
          </Rows>
        </Section>
      )}
    </>
  );
}

function Name({ projectRef: ref, name }: { readonly projectRef: string; readonly name: string }) {
  if (name === usersName) return words.users;
  return (
    <Link to="/p/$ref/data/$collection" params={{ ref, collection: name }} search={{}}>
      {name}
    </Link>
  );
}
