import { type Family, others, type Series } from './family.ts';

/** The two forms in which Prometheus reads metrics. */
export type Form = 'text' | 'openmetrics';

export const contentTypes: Readonly<Record<Form, string>> = {
  text: 'text/plain; version=0.0.4; charset=utf-8',
  openmetrics: 'application/openmetrics-text; version=1.0.0; charset=utf-8',
};

/** Which form the one who asks wants. */
export function formFor(accept: string | undefined): Form {
  return accept?.includes('application/openmetrics-text') ? 'openmetrics' : 'text';
}

export function render(families: readonly Family[], form: Form): string {
  const text = families.map((family) => describe(family, form)).join('');
  return form === 'openmetrics' ? `${text}# EOF\n` : text;
}

function describe(family: Family, form: Form): string {
  const { name, help, type } = family;
  // OpenMetrics names a counter without its ending.
  const title = form === 'openmetrics' && type === 'counter' ? name.replace(/_total$/, '') : name;
  const lines = shown(family).flatMap((series) => linesOf(family, series));
  return [`# HELP ${title} ${escapeHelp(help)}`, `# TYPE ${title} ${type}`, ...lines, ''].join('\n');
}

/** All series, or the largest of them and the sum of the others. */
function shown({ series, top }: Family): readonly Series[] {
  if (top === undefined) return series;
  const known = series.filter(({ of }) => of[0] !== others).toSorted((one, two) => two.value - one.value);
  const rest = [...known.slice(top), ...series.filter(({ of }) => of[0] === others)];
  const sum = rest.reduce((sum, { value }) => sum + value, 0);
  return [...known.slice(0, top), ...(rest.length > 0 ? [{ of: [others], value: sum }] : [])];
}

function linesOf({ name, type, labels, bounds = [] }: Family, { of, value, hits }: Series): string[] {
  const pairs = labels.map((label, at) => `${label}="${escape(of[at] ?? '')}"`);
  const named = pairs.length === 0 ? '' : `{${pairs.join(',')}}`;
  if (type !== 'histogram' || !hits) return [`${name}${named} ${numberText(value)}`];
  let soFar = 0;
  const buckets = hits.map((count, at) => {
    soFar += count;
    const bound = at < bounds.length ? String(bounds[at]) : '+Inf';
    return `${name}_bucket{${[...pairs, `le="${bound}"`].join(',')}} ${soFar}`;
  });
  return [...buckets, `${name}_sum${named} ${numberText(value)}`, `${name}_count${named} ${soFar}`];
}

const numberText = (value: number): string => (Number.isFinite(value) ? String(value) : 'NaN');

const escape = (text: string): string =>
  text.replaceAll('\\', '\\\\').replaceAll('\n', '\\n').replaceAll('"', '\\"');
const escapeHelp = (text: string): string => text.replaceAll('\\', '\\\\').replaceAll('\n', '\\n');
