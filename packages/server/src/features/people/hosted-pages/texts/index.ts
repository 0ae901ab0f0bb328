import type { Language } from '../../mail-texts/index.ts';
import { de } from './de.ts';
import { en } from './en.ts';
import { es } from './es.ts';
import { fr } from './fr.ts';
import type { Texts } from './texts.ts';

/** The pages' texts in each language that the service speaks. */
export const textsIn: Readonly<Record<Language, Texts>> = { en, de, fr, es };
