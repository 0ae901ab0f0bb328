/** Of each kind of call, how many are kept in a minute as they come; then one in two until `more` are kept, then one in four … */
const budgets = {
  failure: { first: 200, more: 50 },
  slow: { first: 100, more: 50 },
  success: { first: 60, more: 60 },
};
type Kind = keyof typeof budgets;

const slowMs = 500;
const minuteMs = 60_000;
const mostProjects = 20_000;
const longestStride = 16_384;

/** The calls of a project, of one kind, in one minute. */
class Share {
  readonly #more: number;
  #stride = 1;
  #place = 0;
  #left: number;

  constructor({ first, more }: (typeof budgets)[Kind]) {
    this.#left = first;
    this.#more = more;
  }

  /** The middle call of each stride is kept, so that the end of the minute favours no side. */
  weigh(): number {
    this.#place += 1;
    const isKept = this.#place === (this.#stride + 1) >> 1;
    const weight = isKept ? this.#stride : 0;
    if (isKept) this.#left -= 1;
    if (this.#place === this.#stride) this.#endStride();
    return weight;
  }

  #endStride(): void {
    this.#place = 0;
    if (this.#left > 0 || this.#stride === longestStride) return;
    this.#stride *= 2;
    this.#left = this.#more;
  }
}

interface Weighed {
  readonly project: { readonly id: string };
  readonly status: number;
  readonly ms: number;
  readonly staysOpen: boolean;
}

/** Chooses which calls the log keeps: few of many, each standing for as many as were left out. */
export class Sampling {
  #projects = new Map<string, Partial<Record<Kind, Share>>>();
  #minute = 0;

  /** For how many calls this one stands; 0: it is not kept. */
  weigh(call: Weighed): number {
    const minute = Math.floor(Date.now() / minuteMs);
    if (minute !== this.#minute || this.#projects.size > mostProjects) {
      this.#projects = new Map();
      this.#minute = minute;
    }
    let shares = this.#projects.get(call.project.id);
    if (!shares) this.#projects.set(call.project.id, (shares = {}));
    const kind = kindOf(call);
    return (shares[kind] ??= new Share(budgets[kind])).weigh();
  }
}

function kindOf({ status, ms, staysOpen }: Weighed): Kind {
  if (status >= 400) return 'failure';
  return ms > slowMs && !staysOpen ? 'slow' : 'success';
}
