/** A metric with its values at one moment, as it travels from a process to whoever adds up several. */
export interface Family {
  readonly name: string;
  readonly help: string;
  readonly type: 'counter' | 'gauge' | 'histogram';
  readonly labels: readonly string[];
  readonly scope: Scope;
  /** Upper bounds of the buckets of a histogram, ascending. */
  readonly bounds?: readonly number[] | undefined;
  /** Only so many series are shown, the largest; the others are one. */
  readonly top?: number | undefined;
  readonly series: readonly Series[];
}

/**
 * What becomes of the values of several processes of a node. `process`: each has its own, with a label that says whose.
 * `node`: they are added up. `service`: all of them see the same thing from outside, and the largest value counts.
 */
export type Scope = 'process' | 'node' | 'service';

export interface Series {
  /** Values of the labels, in their order. */
  readonly of: readonly string[];
  /** Of a histogram: the sum of what was observed. */
  readonly value: number;
  /** Of a histogram: how often each bucket was hit, and at last what is past all of them. */
  readonly hits?: readonly number[] | undefined;
}

/** What is said of series that are not shown by themselves. */
export const others = 'other';
