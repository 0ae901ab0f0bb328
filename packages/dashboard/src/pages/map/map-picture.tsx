import { Link } from '@tanstack/react-router';
import { useId, useMemo } from 'react';
import { type ProjectMap, usersName } from '../../api/links.ts';
import { texts } from '../../texts.ts';
import { type Box, boxSize, layOut } from './layout.ts';
import css from './map-page.module.css';

const { map: words } = texts;
const longestName = 20;

/** Collections as boxes, links as lines. The list below the picture says the same in words. */
export function MapPicture({ projectRef, map }: { readonly projectRef: string; readonly map: ProjectMap }) {
  const id = useId();
  const { width, height, boxes, lines } = useMemo(() => layOut(map.links), [map.links]);
  const counts = new Map(map.collections.map(({ name, documentCount }) => [name, documentCount]));
  return (
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- whoever has no mouse scrolls it with the arrows
    <div className={css.scroller} role="region" aria-label={words.picture} tabIndex={0}>
      <svg className={css.picture} width={width} height={height} viewBox={`0 0 ${width} ${height}`}>
        <title>{words.picture}</title>
        <defs>
          <marker id={id} viewBox="0 0 8 8" refX="7" refY="4" markerWidth="7" markerHeight="7" orient="auto">
            <path className={css.tip} d="M0 0 8 4 0 8z" />
          </marker>
        </defs>
        {lines.map(({ link, path }) => (
          <path
            key={`${link.from} ${link.field} ${link.to}`}
            className={css.line}
            d={path}
            markerEnd={`url(#${id})`}
          >
            <title>{`${link.from}.${link.field}`}</title>
          </path>
        ))}
        {boxes.map((box) => (
          <CollectionBox key={box.name} projectRef={projectRef} box={box} count={counts.get(box.name)} />
        ))}
      </svg>
    </div>
  );
}

interface CollectionBoxProps {
  readonly projectRef: string;
  readonly box: Box;
  readonly count: number | undefined;
}

function CollectionBox({ projectRef: ref, box, count }: CollectionBoxProps) {
  const { name, x, y } = box;
  const isUsers = name === usersName;
  const shown = isUsers ? words.users : name;
  const drawn = (
    <>
      <rect className={css.box} x={x} y={y} width={boxSize.width} height={boxSize.height} rx="5" />
      <path className={css.plinth} d={`M ${x} ${y + boxSize.height} h ${boxSize.width}`} />
      <text className={css.name} x={x + 12} y={y + 22}>
        {shown.length > longestName ? `${shown.slice(0, longestName - 1)}…` : shown}
      </text>{' '}
      {count !== undefined && (
        <text className={css.count} x={x + 12} y={y + 40}>
          {texts.data.documents(count)}
        </text>
      )}
    </>
  );
  if (isUsers) return <g>{drawn}</g>;
  return (
    <Link
      to="/p/$ref/data/$collection"
      params={{ ref, collection: name }}
      search={{}}
      className={css.link ?? ''}
    >
      {drawn}
    </Link>
  );
}
