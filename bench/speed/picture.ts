import { bareName, bestPlinth, type Measured } from './report.ts';

const works = ['point read', 'create', 'PATCH', 'newest 20', 'filtered list'];
const colours: Record<string, string> = { bare: '#9aa5b1', plinth: '#2f6fde', peer: '#d98a3d' };
const size = { label: 130, bar: 430, figure: 90, row: 20, gap: 16, top: 64 };

interface Bar {
  readonly name: string;
  readonly kind: 'bare' | 'plinth' | 'peer';
  readonly perSecond: number;
}

/** Requests a second at 64 connections, as bars, one group for each work. Readable on light and on dark pages. */
export function drawPicture(measured: readonly Measured[]): string {
  const groups = works.map((work) => ({ work, bars: barsOf(measured.filter((row) => row.work === work)) }));
  const most = Math.max(...groups.flatMap(({ bars }) => bars.map(({ perSecond }) => perSecond)));
  const width = size.label + size.bar + size.figure + 130;
  let y = size.top;
  const parts: string[] = [];
  for (const { work, bars } of groups) {
    parts.push(text(0, y + 14, work, 'font-weight:600'));
    for (const bar of bars) {
      const long = Math.max(2, (bar.perSecond / most) * size.bar);
      const figure = Math.round(bar.perSecond).toLocaleString('en');
      parts.push(
        `<rect x="${size.label}" y="${y}" width="${long.toFixed(1)}" height="${size.row - 5}" rx="2" fill="${colours[bar.kind]}"/>`,
        text(size.label + long + 6, y + 12, `${figure}  ${bar.name}`, 'font-size:12px'),
      );
      y += size.row;
    }
    y += size.gap;
  }
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${y}" role="img" aria-label="${describe(groups)}">`,
    '<style>text{font:14px system-ui,sans-serif;fill:#24292f}@media(prefers-color-scheme:dark){text{fill:#e6edf3}}</style>',
    text(0, 18, 'Requests per second, 64 connections, 2 cores for everything', 'font-weight:600'),
    text(
      0,
      40,
      'The load, the service and PostgreSQL share the machine. Same documents, same run.',
      'font-size:12px',
    ),
    ...parts,
    '</svg>\n',
  ].join('\n');
}

function barsOf(rows: readonly Measured[]): Bar[] {
  const bare = rows.find(({ contender }) => contender === bareName);
  const plinth = bestPlinth(rows);
  const peers = rows.filter(
    ({ contender, connections }) => connections === 64 && /^(Parse|PocketBase)/.test(contender),
  );
  return [
    ...(bare ? [{ name: bareName, kind: 'bare' as const, perSecond: bare.rate.perSecond }] : []),
    ...(plinth ? [{ name: 'Plinth', kind: 'plinth' as const, perSecond: plinth.rate.perSecond }] : []),
    ...peers.map(({ contender, rate }) => ({
      name: contender,
      kind: 'peer' as const,
      perSecond: rate.perSecond,
    })),
  ];
}

function describe(groups: readonly { work: string; bars: readonly Bar[] }[]): string {
  const told = groups.map(({ work, bars }) => {
    const figures = bars.map(({ name, perSecond }) => `${name} ${Math.round(perSecond)}`);
    return `${work}: ${figures.join(', ')}`;
  });
  return `Requests per second. ${told.join('. ')}.`;
}

function text(x: number, y: number, content: string, style: string): string {
  return `<text x="${x.toFixed(1)}" y="${y}" style="${style}">${content}</text>`;
}
