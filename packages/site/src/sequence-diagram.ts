// Draws the sequence diagrams of the docs when the site is built: nothing has to be loaded to see them.

const rowHeight = 44;
const headHeight = 40;
const letterWidth = 7.4;
const narrowest = 150;

type Step =
  | {
      readonly kind: 'message';
      readonly from: number;
      readonly to: number;
      readonly isAnswer: boolean;
      readonly text: string;
    }
  | { readonly kind: 'note'; readonly from: number; readonly to: number; readonly text: string };

/** Replaces each `mermaid` block by its picture. */
export function drawSequences(markdown: string): string {
  return markdown.replace(/^```mermaid\nsequenceDiagram\n([\s\S]*?)^```$/gm, (_, text: string) => draw(text));
}

function draw(source: string): string {
  const { names, steps } = parse(source);
  const at = columns(names, steps);
  const width = Math.ceil((at.at(-1) ?? 0) + narrowest / 2);
  const height = headHeight + steps.length * rowHeight + 16;
  const heads = names.map((name, n) => {
    const x = at[n] ?? 0;
    return `<line class="life" x1="${x}" y1="${headHeight}" x2="${x}" y2="${height}"/><rect class="head" x="${x - 50}" y="6" width="100" height="30" rx="4"/><text class="name" x="${x}" y="26">${escape(name)}</text>`;
  });
  const rows = steps.map((step, n) => {
    const y = headHeight + (n + 1) * rowHeight - 8;
    const [x1, x2] = [at[step.from] ?? 0, at[step.to] ?? 0];
    if (step.kind === 'message') return arrow({ x1, x2, y, ...step });
    const wide = Math.max(Math.abs(x2 - x1), step.text.length * letterWidth) + 24;
    const middle = Math.min(Math.max((x1 + x2) / 2, wide / 2 + 2), width - wide / 2 - 2);
    return `<rect class="note" x="${middle - wide / 2}" y="${y - 22}" width="${wide}" height="28" rx="4"/><text x="${middle}" y="${y - 3}">${escape(step.text)}</text>`;
  });
  const label = escape(
    `Sequence of ${names.join(', ')}: ${steps.map((step) => inWords(names, step)).join('; ')}.`,
  );
  return `<div class="sequence" tabindex="0" role="img" aria-label="${label}"><svg viewBox="0 0 ${width} ${height}" width="${width}" height="${height}" aria-hidden="true">${heads.join('')}${rows.join('')}</svg></div>`;
}

function parse(source: string): { names: string[]; steps: Step[] } {
  const names: string[] = [];
  const steps: Step[] = [];
  const column = (name: string): number => {
    if (!names.includes(name)) throw new Error(`No participant ${name} in a sequence diagram.`);
    return names.indexOf(name);
  };
  for (const line of source
    .split('\n')
    .map((one) => one.trim())
    .filter(Boolean)) {
    const [, participant] = /^(?:actor|participant) (\w+)$/.exec(line) ?? [];
    const [, from = '', dash, to = '', text = ''] = /^(\w+)(-?->>)(\w+): (.*)$/.exec(line) ?? [];
    const [, first = '', last, note = ''] = /^Note over (\w+)(?:,(\w+))?: (.*)$/.exec(line) ?? [];
    if (participant !== undefined) names.push(participant);
    else if (dash !== undefined)
      steps.push({ kind: 'message', from: column(from), to: column(to), isAnswer: dash === '-->>', text });
    else if (note !== '')
      steps.push({ kind: 'note', from: column(first), to: column(last ?? first), text: note });
    else throw new Error(`A sequence diagram has a line that is not drawn: ${line}`);
  }
  return { names, steps };
}

/** The middle of each column: as far from the one before as the longest text between them needs. */
function columns(names: readonly string[], steps: readonly Step[]): number[] {
  const at: number[] = [narrowest / 2];
  for (let n = 1; n < names.length; n += 1) {
    const ending = steps.filter(({ from, to }) => Math.max(from, to) === n && from !== to);
    const needed = ending.map(
      ({ from, to, text }) => (at[Math.min(from, to)] ?? 0) + text.length * letterWidth + 32,
    );
    at.push(Math.ceil(Math.max((at[n - 1] ?? 0) + narrowest, ...needed)));
  }
  return at;
}

interface Arrow {
  readonly x1: number;
  readonly x2: number;
  readonly y: number;
  readonly isAnswer: boolean;
  readonly text: string;
}

function arrow({ x1, x2, y, isAnswer, text }: Arrow): string {
  const back = x2 > x1 ? -9 : 9;
  const line = `<line class="${isAnswer ? 'answer' : 'call'}" x1="${x1}" y1="${y}" x2="${x2}" y2="${y}"/>`;
  const tip = `<path class="tip" d="M${x2} ${y}l${back} -5v10z"/>`;
  return `<text x="${(x1 + x2) / 2}" y="${y - 8}">${escape(text)}</text>${line}${tip}`;
}

function inWords(names: readonly string[], step: Step): string {
  return step.kind === 'note' ? step.text : `${names[step.from]} to ${names[step.to]}: ${step.text}`;
}

function escape(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('"', '&quot;');
}
