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

function send(sent: SentTogether, wire: Writable, text: string): void {
  sent.hold(wire, text);
  wire.write(text);
}

const fail = (error: unknown) => {
  throw error;
};

test('what is sent in one turn goes out in one piece, and at its end', async () => {
  const sent = new SentTogether(fail);
  const { wire, pieces } = recorder();
  for (const turn of ['a', 'b']) {
    for (const number of [1, 2, 3]) {
      send(sent, wire, `${turn}${number} `);
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
      send(sent, wire, 'word ');
    }
  }
  const pieces = all.map(({ pieces }) => pieces.join('|'));
  expect(pieces.filter((text) => text === 'word word word word ')).toHaveLength(100);
  expect(pieces.filter((text) => text === 'word word word ')).toHaveLength(200);
});

test('what waits is bounded, and a long message goes out at once, after what came before it', () => {
  const sent = new SentTogether(fail);
  const { wire, pieces } = recorder();
  const [half, long] = ['h'.repeat(150_000), 'l'.repeat(300_000)];
  send(sent, wire, half);
  expect(wire.writableLength).toBe(150_000);
  send(sent, wire, half);
  expect(pieces).toEqual([half]);
  expect(wire.writableLength).toBe(150_000);
  send(sent, wire, long);
  expect(wire.writableLength).toBe(0);
  expect(pieces).toEqual([half, half, long]);
});

test('a connection that is destroyed meanwhile holds nothing up', async () => {
  const sent = new SentTogether(fail);
  const [gone, there] = [recorder(), recorder()];
  for (const { wire } of [gone, there]) {
    send(sent, wire, 'word');
  }
  gone.wire.destroy();
  await endOfTurn();
  expect(there.pieces).toEqual(['word']);
  expect(gone.pieces).toEqual([]);
});
