interface Measured {
  readonly rate: number;
  /** CPU that a call took. */
  readonly cost: { readonly service: number; readonly database: number };
}

/** What calls with something cost beside calls without: medians of ratios, one for each round. */
interface Comparison {
  readonly rate: number;
  readonly service: number;
  readonly database: number;
  /** Calls a second without. */
  readonly without: number;
}

/** Measures both in turns, and begins with another one each time: what disturbs the machine disturbs both. */
export async function compareInTurns(
  rounds: number,
  measure: (isWith: boolean) => Promise<Measured>,
): Promise<Comparison> {
  await measure(true);
  const found: Comparison[] = [];
  for (let round = 0; round < rounds; round += 1) {
    const isWithFirst = round % 2 === 0;
    const first = await measure(isWithFirst);
    const second = await measure(!isWithFirst);
    const [own, plain] = isWithFirst ? [first, second] : [second, first];
    found.push({
      rate: own.rate / plain.rate,
      service: own.cost.service / plain.cost.service,
      database: own.cost.database / plain.cost.database,
      without: plain.rate,
    });
  }
  const median = (part: keyof Comparison) => {
    const sorted = found.map((one) => one[part]).toSorted((one, another) => one - another);
    return sorted[Math.floor(sorted.length / 2)] ?? 0;
  };
  return {
    rate: median('rate'),
    service: median('service'),
    database: median('database'),
    without: median('without'),
  };
}
