import { keepPreviousData, queryOptions, useMutation, useQueryClient } from '@tanstack/react-query';
import { manage } from './management.ts';
import { type Language } from './projects.ts';

/** The words of a message; a text message has a body alone. */
export interface MessageText {
  readonly subject: string;
  readonly body: string;
  /** A whole HTML instead of the body in the layout of the service. */
  readonly html?: string;
}

export interface Template extends MessageText {
  readonly name: string;
  readonly language: Language;
  readonly variables: readonly string[];
  /** The project has replaced the built-in text. */
  readonly is_own: boolean;
}

interface Which {
  readonly ref: string;
  readonly name: string;
  readonly language: Language;
}

interface RenderedMessage {
  readonly subject: string;
  readonly html: string;
  readonly text: string;
}

/** All of them, in every language, as they would be sent now. */
export const templatesQuery = (ref: string) =>
  queryOptions({
    queryKey: ['projects', ref, 'templates'],
    queryFn: ({ signal }) => manage<Template[]>(`/p/${ref}/auth-collections/templates`, { signal }),
  });

const placeOf = ({ ref, name, language }: Which) =>
  `/p/${ref}/auth-collections/templates/${name}/${language}`;

/** How a text would look, with made-up values; what is wrong with it is its error. */
export const previewQuery = (which: Which, text: MessageText) =>
  queryOptions({
    queryKey: ['projects', which.ref, 'preview', which.name, which.language, text],
    queryFn: ({ signal }) =>
      manage<RenderedMessage>(`${placeOf(which)}/preview`, { method: 'POST', body: text, signal }),
    placeholderData: keepPreviousData,
    retry: false,
    gcTime: 60_000,
  });

/** Puts one's own text in the place of the built-in one; without a text, goes back to that. */
export function useSaveTemplate(which: Which) {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: (text: MessageText | undefined) =>
      manage<Template>(placeOf(which), text ? { method: 'PUT', body: text } : { method: 'DELETE' }),
    onSuccess: (saved) =>
      queries.setQueryData(templatesQuery(which.ref).queryKey, (all) =>
        all?.map((one) => (one.name === saved.name && one.language === saved.language ? saved : one)),
      ),
  });
}

/** Sends the text of now, with made-up values. */
export const useSendTest = (which: Which) =>
  useMutation({
    mutationFn: (to: string) =>
      manage<{ readonly sent: true }>(`${placeOf(which)}/test`, { method: 'POST', body: { to } }),
  });
