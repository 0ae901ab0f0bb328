/** A function that runs at set times. */
export interface Schedule {
  readonly name: string;
  readonly lane: number;
  readonly cron: string;
  readonly zone: string;
  readonly missed: 'once' | 'skip' | 'all';
  readonly overlap: 'skip' | 'queue' | 'allow';
  readonly isPaused: boolean;
  readonly nextAt: Date | null;
  readonly lastAt: Date | null;
}
