import { countedUpTo } from '../../api/deliveries.ts';
import { codeTexts } from '../../code-texts.ts';
import { shortCount } from '../../kit/figures.ts';

/** A count that stops somewhere says so. */
export const countText = (count: number): string =>
  count >= countedUpTo ? codeTexts.deliveries.atLeast(shortCount(count)) : shortCount(count);
