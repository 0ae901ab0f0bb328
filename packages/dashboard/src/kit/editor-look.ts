import { HighlightStyle } from '@codemirror/language';
import { EditorView } from '@codemirror/view';
import { tags } from '@lezer/highlight';

/** How editors look. Only what is loaded late imports this: it brings the editor with it. */
export const editorLook = EditorView.theme({
  '&': { height: '100%', fontSize: '0.8125rem', backgroundColor: 'var(--stone-0)', color: 'var(--ink-0)' },
  '.cm-scroller': { fontFamily: 'var(--mono)', lineHeight: '1.6' },
  '.cm-content': { caretColor: 'var(--verdigris)' },
  '.cm-cursor': { borderLeftColor: 'var(--verdigris)' },
  '.cm-gutters': { backgroundColor: 'var(--stone-0)', color: 'var(--ink-2)', border: 'none' },
  '.cm-activeLine': { backgroundColor: 'var(--stone-1)' },
  '&.cm-focused': { outline: 'none' },
  // Above the line numbers, which would hide an outline.
  '&.cm-focused::after': {
    content: '""',
    position: 'absolute',
    zIndex: 300,
    inset: 0,
    border: '2px solid var(--verdigris)',
    pointerEvents: 'none',
  },
  '.cm-selectionBackground, &.cm-focused .cm-selectionBackground': {
    background: 'var(--verdigris-wash) !important',
  },
  '.cm-tooltip': {
    border: '1px solid var(--stone-3)',
    backgroundColor: 'var(--stone-0)',
    color: 'var(--ink-0)',
  },
});

export const editorColours = HighlightStyle.define([
  { tag: tags.propertyName, color: 'var(--ink-0)', fontWeight: '600' },
  { tag: [tags.string, tags.special(tags.string), tags.regexp], color: 'var(--type-time)' },
  { tag: tags.number, color: 'var(--type-number)' },
  { tag: [tags.bool, tags.null], color: 'var(--type-boolean)' },
  { tag: [tags.keyword, tags.modifier], color: 'var(--verdigris)' },
  { tag: [tags.typeName, tags.className], color: 'var(--type-number)' },
  { tag: tags.comment, color: 'var(--ink-2)', fontStyle: 'italic' },
]);
