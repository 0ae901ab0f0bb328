/** Figures as people write them: two digits tell the size, more would claim to know. */
export function figure(value: number): string {
  if (!Number.isFinite(value)) return 'without end';
  if (value === 0) return '0';
  if (value < 0.01) return '< 0.01';
  const digits = value < 10 && !Number.isInteger(value) ? 2 : 3;
  return Number(value.toPrecision(digits)).toLocaleString('en');
}

export function bytes(value: number): string {
  const units = ['B', 'kB', 'MB', 'GB', 'TB', 'PB'];
  const at = value < 1000 ? 0 : Math.min(units.length - 1, Math.floor(Math.log10(value) / 3));
  return `${figure(value / 1000 ** at)} ${units[at]}`;
}

export function percent(value: number): string {
  return `${figure(Number((100 * value).toPrecision(2)))} %`;
}

/** A table in Markdown, which can also be read as it is. */
export function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const line = (cells: readonly string[]) => `| ${cells.join(' | ')} |`;
  return [line(head), line(head.map(() => '---')), ...rows.map(line)].join('\n');
}
