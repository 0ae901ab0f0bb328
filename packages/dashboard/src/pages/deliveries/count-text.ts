import { countedUpTo } from '../../api/deliveries.ts';
import { shortCount } from '../../kit/figures.ts';
import { texts } from '../../texts.ts';

/** A count that stops somewhere says so. */
export const countText = (count: number): string =>
  count >= countedUpTo ? texts.deliveries.atLeast(shortCount(count)) : shortCount(count);
