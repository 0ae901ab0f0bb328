import type { MapLink } from '../../api/links.ts';

export interface Box {
  readonly name: string;
  readonly x: number;
  readonly y: number;
}

interface Line {
  readonly link: MapLink;
  /** As the `d` of an SVG path. */
  readonly path: string;
}

export interface Layout {
  readonly width: number;
  readonly height: number;
  readonly boxes: readonly Box[];
  readonly lines: readonly Line[];
}

export const boxSize = { width: 168, height: 52 };
const gaps = { x: 96, y: 28 };
const margin = 24;
const lineGap = 8;

const shifted = (box: Box, by: number): Box => ({ ...box, y: box.y + by });

/**
 * Puts names into columns, so that lines go to the right: what nothing links to is in the first, what it links to in later
 * ones. A circle of links is cut where it is entered.
 */
export function layOut(links: readonly MapLink[]): Layout {
  const columns = columnsOf(links);
  const rows = Math.max(1, ...columns.map(({ length }) => length));
  const boxes = columns.flatMap((names, column) =>
    names.map((name, row) => ({
      name,
      x: margin + column * (boxSize.width + gaps.x),
      // Short columns stand in the middle.
      y: margin + (row + (rows - names.length) / 2) * (boxSize.height + gaps.y),
    })),
  );
  const places = new Map(boxes.map((box) => [box.name, box]));
  const lines = links.flatMap((link, at) => {
    const [from, to] = [places.get(link.from), places.get(link.to)];
    // Several lines between the same two stand beside one another.
    const before = links.slice(0, at).filter((one) => one.from === link.from && one.to === link.to).length;
    const shift = before * lineGap;
    return from && to ? [{ link, path: pathBetween(shifted(from, shift), shifted(to, shift)) }] : [];
  });
  return {
    width: 2 * margin + columns.length * boxSize.width + (columns.length - 1) * gaps.x,
    height: 2 * margin + rows * boxSize.height + (rows - 1) * gaps.y,
    boxes,
    lines,
  };
}

function columnsOf(links: readonly MapLink[]): readonly (readonly string[])[] {
  const names = [...new Set(links.flatMap(({ from, to }) => [from, to]))].toSorted();
  const depths = depthsOf(names, links);
  const deepest = Math.max(0, ...depths.values());
  const columns = Array.from({ length: deepest + 1 }, (_, depth) =>
    names.filter((name) => depths.get(name) === depth),
  );
  return sortedByNeighbours(columns, links);
}

/** How far each name is from what nothing links to, by the longest way. */
function depthsOf(names: readonly string[], links: readonly MapLink[]): ReadonlyMap<string, number> {
  const sources = names.filter((name) => !links.some(({ from, to }) => to === name && from !== name));
  const open = new Set<string>();
  const done: string[] = [];
  const forward: MapLink[] = [];
  const visit = (name: string) => {
    open.add(name);
    for (const link of links.filter(({ from }) => from === name)) {
      const isBack = open.has(link.to) && !done.includes(link.to);
      if (!isBack) forward.push(link);
      if (!open.has(link.to)) visit(link.to);
    }
    done.push(name);
  };
  // What is in a circle that nothing leads to has no source: any of them begins it.
  for (const name of [...sources, ...names]) if (!open.has(name)) visit(name);
  const depths = new Map(names.map((name) => [name, 0]));
  for (const name of done.toReversed())
    for (const { to } of forward.filter(({ from }) => from === name))
      depths.set(to, Math.max(depths.get(to) ?? 0, (depths.get(name) ?? 0) + 1));
  return depths;
}

/** Each column in the order of what links to it, so that fewer lines cross. */
function sortedByNeighbours(
  columns: readonly (readonly string[])[],
  links: readonly MapLink[],
): readonly (readonly string[])[] {
  const places = new Map<string, number>();
  return columns.map((names) => {
    const middle = (name: string) => {
      const above = links.flatMap(({ from, to }) => (to === name ? [places.get(from)] : []));
      const known = above.filter((place) => place !== undefined);
      return known.reduce((sum, place) => sum + place, 0) / Math.max(1, known.length);
    };
    const sorted = names.toSorted((a, b) => middle(a) - middle(b));
    sorted.forEach((name, row) => {
      places.set(name, row);
    });
    return sorted;
  });
}

function pathBetween(from: Box, to: Box): string {
  const half = boxSize.height / 2;
  const right = from.x + boxSize.width;
  if (from.name === to.name) {
    const [middle, top] = [from.x + boxSize.width / 2, from.y];
    return `M ${middle - 20} ${top} c 0 -22, 40 -22, 40 0`;
  }
  if (to.x > from.x) {
    const bend = gaps.x / 2;
    return `M ${right} ${from.y + half} C ${right + bend} ${from.y + half}, ${to.x - bend} ${to.y + half}, ${to.x} ${to.y + half}`;
  }
  // Back, or within a column: around the right side.
  const out = Math.max(right, to.x + boxSize.width) + gaps.x / 3;
  return `M ${right} ${from.y + half} C ${out} ${from.y + half}, ${out} ${to.y + half}, ${to.x + boxSize.width} ${to.y + half}`;
}
