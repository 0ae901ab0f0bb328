// @postgres newest
import { afterAll, beforeAll, expect, test } from 'vitest';
import { answerText, type Person, Stage, succeed } from '../../support/data/stage.ts';

let stage: Stage;
let alice: Person;
beforeAll(async () => {
  stage = await Stage.open();
  alice = await stage.person();
});
afterAll(() => stage[Symbol.asyncDispose]());

// A filter or sort through a field is refused once the field was seen to link somewhere closed. Someone who writes a
// guessed id can so learn whether it is there, although reading it says that it is not.
test.each(['locked', 'owner_id=@user.id'])(
  'Q11: a written id does not tell its writer whether a document under "%s" is there',
  async (read) => {
    const closed = await stage.collection({ rules: { read } });
    const { id } = await stage.document(closed, { x: 1 });
    const never = id.replace(/....$/, '0000');
    const ask = async (guess: string) => {
      const probes = await stage.collection();
      await succeed(alice.client.post(`/collections/${probes}`, { f: guess }));
      const replies = [
        await alice.client.get(`/collections/${probes}?f.x=1`),
        await alice.client.get(`/collections/${probes}?orderBy=f.x&limit=1&select=none`),
      ];
      return replies.map((reply) => answerText(reply).replace(/"(data|collection)":.*/, '')).join('\n');
    };
    expect(await ask(id)).toBe(await ask(never));
  },
);
