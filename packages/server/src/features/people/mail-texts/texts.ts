import { de } from './texts/de.ts';
import { en } from './texts/en.ts';
import { es } from './texts/es.ts';
import { fr } from './texts/fr.ts';
import type { TextSet } from './texts/text-set.ts';

const sets = { en, de, fr, es };

export type Language = keyof typeof sets;

export const isLanguage = (name: string): name is Language => Object.hasOwn(sets, name);

/** The languages that every message is written in. */
export const supportedLanguages = Object.keys(sets).filter(isLanguage);

/** All that is said in a language. */
export const textsIn = (language: Language): TextSet => sets[language];
