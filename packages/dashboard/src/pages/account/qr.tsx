import { encode } from 'uqr';
import css from './account-page.module.css';

interface QrProps {
  readonly text: string;
  readonly label: string;
}

/** A text as a picture that a phone reads. */
export function Qr({ text, label }: QrProps) {
  const { size, data } = encode(text, { border: 3 });
  const squares = data.flatMap((row, y) =>
    row.flatMap((isDark, x) => (isDark ? [`M${x} ${y}h1v1h-1z`] : [])),
  );
  return (
    <svg className={css.qr} viewBox={`0 0 ${size} ${size}`} role="img" aria-label={label}>
      <path d={squares.join('')} shapeRendering="crispEdges" />
    </svg>
  );
}
