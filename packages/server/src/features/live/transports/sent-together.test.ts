import { Writable } from 'node:stream';
import { setImmediate as endOfTurn } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { SentTogether } from './sent-together.ts';

/** Notes in how many pieces it was given what. */
function recorder() {
  const pieces: string[] = [];
  const text = (chunks: readonly { chunk: unknown }[]) => chunks.map(({ chunk }) => String(chunk)).join('');
  const wire = new Writable({
    write: (chunk, _encoding, done) => done(void pieces.push(String(chunk))),
    writev: (chunks, done) => done(void pieces.push(text(chunks))),
  });
  return { wire, pieces };
}

const fail = (error: unknown) => {
  throw error;
};

test('what is sent in one turn goes out in one piece, and at its end', async () => {
  const sent = new SentTogether(fail);
  const { wire, pieces } = recorder();
  for (const turn of ['a', 'b']) {
    for (const number of [1, 2, 3]) {
      sent.hold(wire);
      wire.write(`${turn}${number} `);
    }
    expect(pieces).not.toContain(`${turn}1 ${turn}2 ${turn}3 `);
    await endOfTurn();
  }
  expect(pieces).toEqual(['a1 a2 a3 ', 'b1 b2 b3 ']);
});

test('with very many messages, the first go out before the others are written', () => {
  const sent = new SentTogether(fail);
  const all = Array.from({ length: 300 }, recorder);
  for (let message = 0; message < 4; message += 1) {
    for (const { wire } of all) {
      sent.hold(wire);
      wire.write('word ');
    }
  }
  const pieces = all.map(({ pieces }) => pieces.join('|'));
  expect(pieces.filter((text) => text === 'word word word word ')).toHaveLength(100);
  expect(pieces.filter((text) => text === 'word word word ')).toHaveLength(200);
});

test('a connection that is destroyed meanwhile holds nothing up', async () => {
  const sent = new SentTogether(fail);
  const [gone, there] = [recorder(), recorder()];
  for (const { wire } of [gone, there]) {
    sent.hold(wire);
    wire.write('word');
  }
  gone.wire.destroy();
  await endOfTurn();
  expect(there.pieces).toEqual(['word']);
  expect(gone.pieces).toEqual([]);
});
