import type { ClientMessage } from '@plinth/protocol';
import { type TSchema, Type } from 'typebox';
import { Value } from 'typebox/value';
import { parseJsonText } from '../../platform/json.ts';
import { invalidMessage } from './errors.ts';

const id = Type.String({ minLength: 1, maxLength: 100 });
const room = Type.String({ minLength: 1, maxLength: 200 });

const forms: Record<ClientMessage['type'], TSchema> = {
  auth: strict({ token: Type.String({ minLength: 1, maxLength: 8192 }) }),
  subscribe: strict({
    id,
    collection: Type.String({ minLength: 1, maxLength: 200 }),
    filter: Type.Optional(Type.String({ maxLength: 20_000 })),
    since: Type.Optional(Type.String({ maxLength: 200 })),
    snapshot: Type.Optional(Type.Boolean()),
  }),
  unsubscribe: strict({ id }),
  join: strict({ room }),
  leave: strict({ room }),
  broadcast: strict({ room, message: Type.Unknown() }),
  presence: strict({ room, state: Type.Unknown() }),
  ping: strict({}),
};

function strict(properties: Record<string, TSchema>): TSchema {
  return Type.Object({ type: Type.String(), ...properties }, { additionalProperties: false });
}

/** Reads a message of a client; what is not understood is refused, never ignored. */
export function readMessage(text: string): ClientMessage {
  const message = parse(text);
  const { type } = message as { type?: unknown };
  if (typeof type !== 'string' || !Object.hasOwn(forms, type))
    throw invalidMessage(`There is no message of this type. There are: ${Object.keys(forms).join(', ')}.`);
  const form = forms[type as ClientMessage['type']];
  if (Value.Check(form, message)) return message as ClientMessage;
  const [first] = Value.Errors(form, message);
  throw invalidMessage(
    `The message "${type}" is not right: ${first?.instancePath ?? ''} ${first?.message ?? ''}.`,
  );
}

function parse(text: string): object {
  try {
    const value = parseJsonText(text);
    if (typeof value === 'object' && value !== null) return value;
  } catch {
    // Refused below, like everything else that is no object.
  }
  throw invalidMessage('A message is a JSON object with a "type".');
}
