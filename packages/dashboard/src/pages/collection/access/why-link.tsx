import { Link } from '@tanstack/react-router';
import type { Action, Place } from '../../../api/collection.ts';
import { texts } from '../../../texts.ts';

interface WhyLinkProps {
  readonly place: Place;
  /** The document that is asked about. */
  readonly doc: string;
  /** The user whose rights are asked about: an id, or nobody who is signed in. */
  readonly as?: string;
  readonly action?: Action;
}

/** Leads from a document to why somebody may see it, or may not. */
export function WhyLink({ place, doc, as = 'nobody', action = 'read' }: WhyLinkProps) {
  const { projectRef: ref, collection } = place;
  return (
    <Link
      to="/p/$ref/data/$collection/rules"
      params={{ ref, collection }}
      search={{ as, action, doc }}
      aria-label={texts.access.whyOf(doc)}
    >
      {texts.access.why}
    </Link>
  );
}
