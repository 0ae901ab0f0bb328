import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { servicesQuery, useForgetService } from '../../api/services.ts';
import { Confirm } from '../../kit/confirm.tsx';
import { Problem } from '../../kit/problem.tsx';
import { Row, Rows } from '../../kit/rows.tsx';
import { Section } from '../../kit/section.tsx';
import { texts } from '../../texts.ts';
import { MailServerDialog } from './mail-server-dialog.tsx';
import { TextGatewayDialog } from './text-gateway-dialog.tsx';

const { messages: words } = texts;

type Way = 'mail' | 'sms';

/** How messages go out: by servers of the project, or by that of the whole service. */
export function Delivery({ projectRef: ref }: { readonly projectRef: string }) {
  const { data: services, error } = useQuery(servicesQuery(ref));
  const [edited, setEdited] = useState<Way>();
  const close = () => setEdited(undefined);
  return (
    <Section title={words.delivery} lead={words.deliveryText}>
      {error && <Problem error={error} />}
      {services && (
        <Rows>
          {(['mail', 'sms'] as const).map((way) => (
            <WayRow
              key={way}
              projectRef={ref}
              way={way}
              isSet={services.includes(way)}
              onEdit={() => setEdited(way)}
            />
          ))}
        </Rows>
      )}
      {edited === 'mail' && <MailServerDialog projectRef={ref} onClose={close} />}
      {edited === 'sms' && <TextGatewayDialog projectRef={ref} onClose={close} />}
    </Section>
  );
}

interface WayRowProps {
  readonly projectRef: string;
  readonly way: Way;
  readonly isSet: boolean;
  readonly onEdit: () => void;
}

function WayRow({ projectRef, way, isSet, onEdit }: WayRowProps) {
  const forget = useForgetService(projectRef);
  const [isAsking, setAsking] = useState(false);
  const { name, set, unset } = words.ways[way];
  return (
    <Row title={name} facts={isSet ? set : unset}>
      <button type="button" aria-label={`${isSet ? words.setAnew : words.setUp}: ${name}`} onClick={onEdit}>
        {isSet ? words.setAnew : words.setUp}
      </button>
      {isSet && (
        <button
          type="button"
          data-kind="danger"
          aria-label={`${words.remove}: ${name}`}
          onClick={() => setAsking(true)}
        >
          {words.remove}
        </button>
      )}
      {isAsking && (
        <Confirm
          title={name}
          text={words.removeText}
          button={words.remove}
          isPending={forget.isPending}
          error={forget.error}
          onSend={() => forget.mutate(way, { onSuccess: () => setAsking(false) })}
          onClose={() => setAsking(false)}
        />
      )}
    </Row>
  );
}
