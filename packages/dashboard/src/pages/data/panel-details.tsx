import { imageUrl } from '@plinth/client';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { collectionsQuery } from '../../api/collections.ts';
import { inTurn } from '../../api/in-turn.ts';
import { manage } from '../../api/management.ts';
import { projectClient } from '../../api/project-client.ts';
import { Problem } from '../../kit/problem.tsx';
import { texts } from '../../texts.ts';
import type { Row } from './columns.ts';
import css from './document-panel.module.css';
import { fileUrlsIn, isPicture } from './file-urls.ts';
import { linksIn } from './links.ts';

const { data: words } = texts;

interface AboutProps {
  readonly projectRef: string;
  readonly collection: string;
  readonly document: Row;
}

/** What a document holds and what leads to it. */
export function PanelDetails(props: AboutProps) {
  const { projectRef, document } = props;
  const [isOpen, setOpen] = useState(false);
  const files = fileUrlsIn(document, projectRef);
  return (
    <div className={css.details}>
      {files.length > 0 && (
        <ul className={css.files} aria-label={words.files}>
          {files.map((url) => (
            <li key={url}>
              <a href={url} target="_blank" rel="noreferrer">
                {isPicture(url) ? (
                  <img src={imageUrl(url, { h: 160 })} alt={words.pictureOf(lastOf(url))} loading="lazy" />
                ) : (
                  lastOf(url)
                )}
              </a>
            </li>
          ))}
        </ul>
      )}
      <details onToggle={(event) => setOpen(event.currentTarget.open)}>
        <summary>{words.links}</summary>
        {isOpen && (
          <>
            <LinksOut {...props} />
            <Backlinks {...props} />
          </>
        )}
      </details>
    </div>
  );
}

const lastOf = (url: string): string => url.slice(url.lastIndexOf('/') + 1);

function LinksOut({ projectRef: ref, document }: AboutProps) {
  const { data: collections } = useQuery(collectionsQuery(ref));
  const found = linksIn(document).flatMap(({ field, id, number }) => {
    const name = collections?.find((one) => one.number === number)?.name;
    return name === undefined ? [] : [{ field, id, name }];
  });
  if (found.length === 0) return null;
  return (
    <>
      <h2>{words.linksOut}</h2>
      <ul>
        {found.map(({ field, id, name }) => (
          <li key={`${field} ${id}`}>
            {field}{' '}
            <Link to="/p/$ref/data/$collection" params={{ ref, collection: name }} search={{ doc: id }}>
              {words.linkTo(name)}
            </Link>
          </li>
        ))}
      </ul>
    </>
  );
}

interface KnownLink {
  readonly field: string;
  readonly collections: readonly string[];
}

/** Each collection is asked for its links; more of them are not looked at. */
const mostCollections = 200;
const callsAtOnce = 12;
const mostFound = 20;

function useBacklinks({ projectRef: ref, collection, document: { id } }: AboutProps) {
  return useQuery({
    queryKey: ['projects', ref, 'backlinks', collection, id],
    queryFn: async ({ client, signal }) => {
      const all = await client.ensureQueryData(collectionsQuery(ref));
      const perCollection = await inTurn(all.slice(0, mostCollections), callsAtOnce, async ({ name }) => {
        const links = await manage<KnownLink[]>(`/p/${ref}/collections/${name}/links`, { signal });
        return links.flatMap(({ field, collections }) =>
          collections.includes(collection) ? [{ name, field }] : [],
        );
      });
      const counted = await Promise.all(
        perCollection
          .flat()
          .slice(0, mostFound)
          .map(async ({ name, field }) => {
            const filter = `${field}=${id}`;
            const { total = 0, totalIsFloor } = await projectClient(ref)
              .collection(name)
              .where(filter)
              .page({ limit: 1, signal });
            return { name, field, filter, total, totalIsFloor };
          }),
      );
      const links = counted.filter(({ total }) => total > 0);
      return { links, isPartial: all.length > mostCollections };
    },
    staleTime: 30_000,
  });
}

function Backlinks(props: AboutProps) {
  const { data: found, error } = useBacklinks(props);
  if (error) return <Problem error={error} />;
  if (!found) return null;
  return (
    <>
      <h2>{words.backlinks}</h2>
      {found.links.length === 0 && <p>{words.noBacklinks}</p>}
      {found.isPartial && <p>{words.someBacklinks(mostCollections)}</p>}
      <ul>
        {found.links.map(({ name, field, filter, total, totalIsFloor }) => (
          <li key={`${name} ${field}`}>
            <Link
              to="/p/$ref/data/$collection"
              params={{ ref: props.projectRef, collection: name }}
              search={{ filter }}
            >
              {words.linkedFrom(words.documents(total, totalIsFloor), name)}
            </Link>{' '}
            {words.byField(field)}
          </li>
        ))}
      </ul>
    </>
  );
}
