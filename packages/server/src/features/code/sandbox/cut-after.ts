import { pipeline, type Readable, Transform } from 'node:stream';

/** The body as it comes, which fails past so many bytes. */
export function cutAfter(body: Readable, most: number, error: () => Error): Readable {
  let bytes = 0;
  const counted = new Transform({
    transform(chunk: Buffer, _encoding, done) {
      bytes += chunk.length;
      if (bytes > most) done(error());
      else done(null, chunk);
    },
  });
  return pipeline(body, counted, () => {});
}
