import { useState } from 'react';
import { Field, SelectField } from '../../kit/field.tsx';
import { Row, Rows } from '../../kit/rows.tsx';
import { Section } from '../../kit/section.tsx';
import { texts } from '../../texts.ts';
import css from './settings.module.css';
import { useSettings } from './use-settings.ts';

const { settings: words } = texts;

/** Who may join which rooms. */
export function Rooms() {
  const { settings, save, error } = useSettings();
  const rooms = Object.entries(settings.rooms);
  const [pattern, setPattern] = useState('');
  const [who, setWho] = useState<'public' | 'users'>('users');
  return (
    <Section title={words.rooms} lead={words.roomsText}>
      {rooms.length === 0 && <p>{words.noRooms}</p>}
      {rooms.length > 0 && (
        <Rows>
          {rooms.map(([name, whose]) => (
            <Row key={name} title={<code>{name}</code>} facts={words.roomsWords[whose]}>
              <button
                type="button"
                aria-label={words.removeOne(name)}
                onClick={() => save({ rooms: Object.fromEntries(rooms.filter(([one]) => one !== name)) })}
              >
                {words.remove}
              </button>
            </Row>
          ))}
        </Rows>
      )}
      <form
        className={css.line}
        onSubmit={(event) => {
          event.preventDefault();
          save({ rooms: { ...settings.rooms, [pattern]: who } });
          setPattern('');
        }}
      >
        <Field
          label={words.roomPattern}
          placeholder="chat-*"
          required
          maxLength={200}
          mistake={error?.message}
          value={pattern}
          onChange={(event) => setPattern(event.target.value)}
        />
        <SelectField label={words.roomWho} words={words.roomsWords} value={who} onChange={setWho} />
        <button>{words.add}</button>
      </form>
    </Section>
  );
}
