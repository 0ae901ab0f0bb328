import type { ClientMessage } from '@plinth/protocol';
import { type TProperties, Type } from 'typebox';
import { Value } from 'typebox/value';
import { AppError } from '../../../platform/errors.ts';
import { maxDepth, parseJson } from '../../../platform/http/parse-json.ts';
import { invalidMessage } from '../errors.ts';

/** A message from a client. @limit invalid_message bytes */
export const longestMessage = 65_536;

const id = Type.String({ minLength: 1, maxLength: 100 });
const room = Type.String({ minLength: 1, maxLength: 200 });

const forms = {
  auth: form('auth', { token: Type.String({ minLength: 1, maxLength: 8192 }) }),
  subscribe: form('subscribe', {
    id,
    collection: Type.String({ minLength: 1, maxLength: 200 }),
    filter: Type.Optional(Type.String({ maxLength: 20_000 })),
    since: Type.Optional(Type.String({ maxLength: 200 })),
    snapshot: Type.Optional(Type.Boolean()),
  }),
  unsubscribe: form('unsubscribe', { id }),
  join: form('join', { room }),
  leave: form('leave', { room }),
  broadcast: form('broadcast', { room, message: Type.Unknown() }),
  presence: form('presence', { room, state: Type.Unknown() }),
  ping: form('ping', {}),
};

function form<Name extends ClientMessage['type'], Properties extends TProperties>(
  type: Name,
  properties: Properties,
) {
  return Type.Object({ type: Type.Literal(type), ...properties }, { additionalProperties: false });
}

/** Reads a message of a client; what is not understood is refused, never ignored. */
export function readMessage(text: string): ClientMessage {
  const message = parse(text);
  const type = 'type' in message ? message.type : undefined;
  if (!isType(type)) throw invalidMessage(`Unknown message type. Types: ${Object.keys(forms).join(', ')}.`);
  const expected = forms[type];
  if (Value.Check(expected, message)) return message;
  const [first] = Value.Errors(expected, message);
  throw invalidMessage(
    `The message "${type}" is not valid: ${first?.instancePath ?? ''} ${first?.message ?? ''}.`,
  );
}

function isType(type: unknown): type is ClientMessage['type'] {
  return typeof type === 'string' && Object.hasOwn(forms, type);
}

function parse(text: string): object {
  try {
    // The message itself is one level; what is in it may be as deep as a document.
    const value = parseJson(text, maxDepth + 1);
    if (typeof value === 'object' && value !== null) return value;
  } catch (error) {
    // What is no JSON at all is refused below, like everything else that is no object.
    if (error instanceof AppError && error.code === 'invalid_json_value') throw error;
  }
  throw invalidMessage('A message must be a JSON object with a "type".');
}
