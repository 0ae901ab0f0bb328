import fc from 'fast-check';
import { expect, test } from 'vitest';
import { positionOf } from './position.ts';
import { PositionedList } from './positioned-list.ts';

const at = (number: number) => positionOf(BigInt(Math.floor(number / 3)), number % 3);

test('it answers as a plain array does, whatever is added and dropped', () => {
  const step = fc.oneof(
    { weight: 3, arbitrary: fc.record({ add: fc.integer({ min: 1, max: 900 }) }) },
    { weight: 2, arbitrary: fc.record({ drop: fc.integer({ min: 1, max: 900 }) }) },
    { weight: 3, arbitrary: fc.record({ look: fc.integer({ min: 0, max: 4000 }), most: fc.nat(100) }) },
  );
  fc.assert(
    fc.property(fc.array(step, { maxLength: 40 }), (steps) => {
      const list = new PositionedList<{ position: string; number: number }>();
      let plain: number[] = [];
      let next = 0;
      for (const one of steps) {
        if ('add' in one)
          for (let left = one.add; left > 0; left -= 1) {
            // Every other position stays free.
            next += 2;
            list.add({ position: at(next), number: next });
            plain.push(next);
          }
        else if ('drop' in one) {
          for (let left = one.drop; left > 0; left -= 1)
            expect(list.drop()?.number).toBe(plain[one.drop - left]);
          plain = plain.slice(one.drop);
        } else {
          const later = plain.filter((number) => number > one.look).slice(0, one.most);
          expect(list.after(at(one.look), one.most).map(({ number }) => number)).toEqual(later);
          expect(list.find(at(one.look))?.number).toBe(plain.find((number) => number === one.look));
        }
        expect(list.size).toBe(plain.length);
        expect(list.first?.number).toBe(plain[0]);
      }
    }),
  );
});
