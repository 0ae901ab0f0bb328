import { expect, test } from 'vitest';
import { OutboundError } from '../../../platform/outbound/outbound-error.ts';
import { DeliveryError, explainFailure } from './explain-failure.ts';

const failure = (more: object) => Object.assign(new Error('535 secret at 10.0.0.7'), more);

test('a failure is told in plain words, without what the deployment’s server said', () => {
  const refused = failure({ code: 'EAUTH', responseCode: 535, response: '535 no such user at 10.0.0.7' });
  expect(explainFailure(refused, false)).toBe('The mail server rejected the user name and password (535).');
  expect(explainFailure(failure({ code: 'ESOCKET' }), false)).toBe('The mail server cannot be reached.');
  for (const odd of [failure({}), failure({ code: 'constructor' }), undefined, 'text'])
    expect(explainFailure(odd, false)).toBe('The message could not be sent.');
  for (const own of [new DeliveryError('No gateway.'), new OutboundError('No gateway.')])
    expect(explainFailure(own, false)).toBe('No gateway.');
});

test('what a project’s own server said is told, cut short, without anything that could be a link or a code', () => {
  const said = (response: string) => explainFailure(failure({ code: 'EMESSAGE', response }), true);
  expect(said('554 5.7.1 no\r\nthanks')).toBe(
    'The mail server rejected the message. It said: 554 5.7.1 no thanks',
  );
  expect(said('554 you sent https://a.example/?token=x and 482913 and pK3v9sT0qWm4Zr8yLd2Xb7Nf')).toBe(
    'The mail server rejected the message. It said: 554 you sent … and … and …',
  );
  expect(said(`554 ${'no '.repeat(500)}`).length).toBeLessThan(300);
});
