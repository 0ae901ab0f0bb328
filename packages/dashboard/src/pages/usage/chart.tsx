import { type KeyboardEvent, type PointerEvent, useId, useState } from 'react';
import css from './chart.module.css';

export interface Point {
  /** What the axis says of it. */
  readonly name: string;
  readonly value: number;
  /** How much of it is bad. */
  readonly bad: number;
  /** The point in words. */
  readonly text: string;
}

interface ChartProps {
  readonly label: string;
  readonly hint: string;
  readonly points: readonly Point[];
  /** What is said while no point is looked at. */
  readonly summary: string;
  readonly format: (value: number) => string;
  /** What there can be at most, if there is a limit. */
  readonly limit?: { readonly value: number; readonly text: string };
  readonly onOpen: (at: number) => void;
  readonly onZoom: (first: number, last: number) => void;
}

const height = 100;

/**
 * Bars, one for each step of time. The arrows go from one to the next, Enter opens it; Shift with the arrows, or dragging,
 * takes several, which are zoomed into.
 */
export function Chart({ label, hint, points, summary, format, limit, onOpen, onZoom }: ChartProps) {
  const id = useId();
  const [at, setAt] = useState<number>();
  const [anchor, setAnchor] = useState<number>();
  const top = niceTop(Math.max(...points.map(({ value }) => value)));
  // One that is far above would only press the bars down.
  const line = limit && limit.value <= top ? height - (limit.value / top) * height : undefined;
  const last = points.length - 1;
  const [from, to] = [Math.min(at ?? -1, anchor ?? at ?? -1), Math.max(at ?? -1, anchor ?? -1)];
  const forget = () => {
    setAt(undefined);
    setAnchor(undefined);
  };
  const take = () => {
    if (at === undefined) return;
    if (from < to) onZoom(from, to);
    else onOpen(at);
    forget();
  };
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key === 'Enter') return take();
    if (event.key === 'Escape') return forget();
    const next = placeAfter(event.key, at ?? last + 1, last);
    if (next === undefined) return;
    event.preventDefault();
    setAnchor(event.shiftKey ? (anchor ?? at ?? next) : undefined);
    setAt(next);
  };
  const under = ({ currentTarget, clientX }: PointerEvent) => {
    const { left, width } = currentTarget.getBoundingClientRect();
    return Math.max(0, Math.min(last, Math.floor(((clientX - left) / width) * points.length)));
  };
  return (
    <figure className={css.chart}>
      <p className={css.said}>{(at !== undefined && points[at]?.text) || summary}</p>
      <div className={css.scale} aria-hidden="true">
        <span>{format(top)}</span>
        <span>{format(top / 2)}</span>
        <span>0</span>
      </div>
      <div
        className={css.plot}
        role="slider"
        tabIndex={0}
        aria-label={label}
        aria-describedby={`${id}-hint`}
        aria-valuemin={0}
        aria-valuemax={last}
        aria-valuenow={at ?? last}
        aria-valuetext={points[at ?? last]?.text ?? ''}
        onKeyDown={onKeyDown}
        onBlur={forget}
        onPointerDown={(event) => {
          event.currentTarget.setPointerCapture(event.pointerId);
          setAnchor(under(event));
          setAt(under(event));
        }}
        onPointerMove={(event) => setAt(under(event))}
        onPointerLeave={() => anchor === undefined && setAt(undefined)}
        onPointerUp={take}
        onPointerCancel={forget}
      >
        <svg viewBox={`0 0 ${points.length} ${height}`} preserveAspectRatio="none" aria-hidden="true">
          {from >= 0 && <rect className={css.taken} x={from} width={to - from + 1} y={0} height={height} />}
          {points.map(({ name, value, bad }, n) => (
            <Bar key={`${n} ${name}`} n={n} value={(value / top) * height} bad={(bad / top) * height} />
          ))}
          {line !== undefined && <line className={css.limit} x1={0} x2={points.length} y1={line} y2={line} />}
        </svg>
      </div>
      <div className={css.axis} aria-hidden="true">
        {axisOf(points).map((name, n) => (
          <span key={`${n} ${name}`}>{name}</span>
        ))}
      </div>
      <figcaption className={css.hint} id={`${id}-hint`}>
        {limit && <span className={css.limitText}>{limit.text}</span>}
        {hint}
      </figcaption>
    </figure>
  );
}

function Bar({ n, value, bad }: { readonly n: number; readonly value: number; readonly bad: number }) {
  const place = { x: n + 0.12, width: 0.76 };
  return (
    <>
      {value > 0 && <rect className={css.bar} {...place} y={height - value} height={value} />}
      {bad > 0 && <rect className={css.bad} {...place} y={height - bad} height={bad} />}
    </>
  );
}

function placeAfter(key: string, at: number, last: number): number | undefined {
  const next = { ArrowLeft: at - 1, ArrowRight: at + 1, Home: 0, End: last }[key];
  return next === undefined ? undefined : Math.max(0, Math.min(last, next));
}

/** The next of 2, 5, 10, 20 …, so that the scale has plain figures. */
function niceTop(value: number): number {
  if (value <= 2) return 2;
  const power = 10 ** Math.floor(Math.log10(value));
  return ([1, 2, 5, 10].find((step) => step * power >= value) ?? 10) * power;
}

const mostNames = 5;

/** Some of the names, evenly spread from the first to the last. */
function axisOf(points: readonly Point[]): string[] {
  const count = Math.min(mostNames, points.length);
  return Array.from({ length: count }, (_, n) => {
    const at = count === 1 ? 0 : Math.round((n * (points.length - 1)) / (count - 1));
    return points[at]?.name ?? '';
  });
}
