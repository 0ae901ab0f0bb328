import { imageUrl } from '@plinth/client';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { backlinksQuery } from '../../api/backlinks.ts';
import { collectionsQuery } from '../../api/collections.ts';
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

function Backlinks({ projectRef, collection, document }: AboutProps) {
  const { data: found, error } = useQuery(backlinksQuery({ projectRef, collection }, document.id));
  if (error) return <Problem error={error} />;
  if (!found) return null;
  return (
    <>
      <h2>{words.backlinks}</h2>
      {found.data.length === 0 && <p>{words.noBacklinks}</p>}
      {found.hasMore && <p>{words.someBacklinks}</p>}
      <ul>
        {found.data.map(({ collection: name, field, query, total, totalIsFloor }) => (
          <li key={`${name} ${field}`}>
            <Link
              to="/p/$ref/data/$collection"
              params={{ ref: projectRef, collection: name }}
              search={{ filter: query }}
            >
              {words.linkedFrom(
                total === null ? words.uncounted : words.documents(total, totalIsFloor),
                name,
              )}
            </Link>{' '}
            {words.byField(field)}
          </li>
        ))}
      </ul>
    </>
  );
}
