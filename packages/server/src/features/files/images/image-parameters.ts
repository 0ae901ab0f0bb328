import { Type } from 'typebox';
import { fits, imageFormats, maxSide } from './image-size.ts';

const side = (description: string) => Type.Integer({ minimum: 1, maximum: maxSide, description });
const oneOf = (values: readonly string[], description: string) =>
  Type.Unsafe<string>({ type: 'string', enum: values, description });

/** What a URL may ask of an image, for the documentation. */
export const imageParameters = {
  w: side('Width in pixels. Without `h` the height follows. For images only.'),
  h: side('Height in pixels. Without `w` the width follows. For images only.'),
  fit: oneOf(
    fits,
    'How the image fits into `w` and `h`: `cover` crops, `contain` adds borders, `fill` stretches, `inside` and `outside` keep the aspect ratio.',
  ),
  format: oneOf(imageFormats, 'The format to convert it to.'),
};
