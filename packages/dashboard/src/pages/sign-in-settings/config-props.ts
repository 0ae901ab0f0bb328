import { type Config } from '../../api/settings.ts';

/** What a part of the page is given. */
export interface ConfigProps {
  readonly projectRef: string;
  readonly configs: readonly Config[];
}

/** Those of the keys that a part is about, in its order. */
export const keysIn = (configs: readonly Config[], names: readonly string[]): readonly Config[] =>
  names.flatMap((name) => configs.filter(({ key }) => key === name));

/** Meanings come with code between backquotes; here they are plain sentences. */
export const meaningOf = ({ meaning }: Config): string => meaning.replaceAll('`', '');
