import { invalidQuery } from '../../../calls/index.ts';
import type { File } from '../records/index.ts';
import { notAnImage } from './errors.ts';
import { fits, type ImageSize, imageFormats, maxSide } from './image-size.ts';

/** What a URL asks of an image: `w`, `h`, `fit`, `format`; undefined: the file as it is. */
export function readImageQuery(file: File, query: URLSearchParams): ImageSize | undefined {
  if (!['w', 'h', 'fit', 'format'].some((name) => query.has(name))) return undefined;
  const ownFormat = imageFormats.find((format) => format === file.extension);
  if (ownFormat === undefined) throw notAnImage();
  const width = readSide(query, 'w');
  const height = readSide(query, 'h');
  if (query.has('fit') && (width === undefined || height === undefined))
    throw invalidQuery('fit', 'It says how an image fits into a box: send both w and h with it.');
  return {
    width,
    height,
    fit: readOneOf(query, 'fit', fits) ?? 'cover',
    format: readOneOf(query, 'format', imageFormats) ?? ownFormat,
  };
}

/** The name under which the result is kept: the same for all queries that mean the same. */
export function variantName({ width, height, fit, format }: ImageSize): string {
  const isBox = width !== undefined && height !== undefined;
  return `w${width ?? ''}-h${height ?? ''}${isBox ? `-${fit}` : ''}.${format}`;
}

function readSide(query: URLSearchParams, name: string): number | undefined {
  const given = query.get(name);
  if (given === null) return undefined;
  const side = /^[1-9]\d{0,3}$/.test(given) ? Number(given) : Number.NaN;
  if (!(side <= maxSide))
    throw invalidQuery(name, `It must be an integer number of pixels, 1 to ${maxSide}.`);
  return side;
}

function readOneOf<Value extends string>(
  query: URLSearchParams,
  name: string,
  values: readonly Value[],
): Value | undefined {
  const given = query.get(name);
  if (given === null) return undefined;
  const known = given === 'jpeg' ? 'jpg' : given;
  const value = values.find((value) => value === known);
  if (value === undefined) throw invalidQuery(name, `It must be one of ${values.join(', ')}.`);
  return value;
}
