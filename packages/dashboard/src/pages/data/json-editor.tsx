import { defaultKeymap, history, historyKeymap } from '@codemirror/commands';
import { json, jsonParseLinter } from '@codemirror/lang-json';
import { bracketMatching, foldGutter, syntaxHighlighting } from '@codemirror/language';
import { linter } from '@codemirror/lint';
import { Annotation, EditorState } from '@codemirror/state';
import { drawSelection, EditorView, highlightActiveLine, keymap, lineNumbers } from '@codemirror/view';
import { type RefObject, useEffect, useRef } from 'react';
import { editorColours, editorLook } from '../../kit/editor-look.ts';
import { typingOver } from '../../kit/typing-over.ts';
import css from './document-panel.module.css';

/** Marks a text that was not typed. */
const given = Annotation.define<boolean>();

interface JsonEditorProps {
  readonly label: string;
  readonly text: string;
  /** Whether it takes the focus when it comes. */
  readonly hasFocus: boolean;
  /** Where somebody is typing in what stood in its place: they go on in it. */
  readonly caret: RefObject<number | undefined>;
  readonly onChange: (text: string) => void;
}

/** An editor for JSON, in a shadow tree where its styles are sheets of their own: the page's policy allows no `<style>`. */
export function JsonEditor({ label, text, hasFocus, caret, onChange }: JsonEditorProps) {
  const host = useRef<HTMLDivElement>(null);
  const editor = useRef<EditorView>(null);
  const isWanted = useRef(hasFocus);
  const first = useRef(text);
  /** What the editor has told and was not given back yet: somebody may have typed on meanwhile. */
  const told = useRef<string[]>([]);
  const hear = useRef(onChange);
  useEffect(() => {
    hear.current = onChange;
  }, [onChange]);
  useEffect(() => {
    const view = editor.current;
    const at = told.current.lastIndexOf(text);
    told.current.splice(0, at + 1);
    if (!view || at >= 0 || text === view.state.doc.toString()) return;
    // It comes from elsewhere.
    view.dispatch({
      changes: { from: 0, to: view.state.doc.length, insert: text },
      annotations: given.of(true),
    });
  }, [text]);
  useEffect(() => {
    if (!host.current) return;
    const root = host.current.shadowRoot ?? host.current.attachShadow({ mode: 'open' });
    const tell = EditorView.updateListener.of(({ docChanged, state, transactions }) => {
      if (!docChanged || transactions.some((one) => one.annotation(given))) return;
      const now = state.doc.toString();
      told.current.push(now);
      hear.current(now);
    });
    const view = new EditorView({
      root,
      parent: root,
      state: EditorState.create({ doc: first.current, extensions: [...basics, named(label), tell] }),
    });
    if (isWanted.current || caret.current !== undefined) {
      view.focus();
      const anchor = Math.min(caret.current ?? firstPlace(view), view.state.doc.length);
      view.dispatch({ selection: { anchor } });
    }
    editor.current = view;
    return () => view.destroy();
  }, [label, caret]);
  return <div className={css.host} ref={host} />;
}

const basics = [
  lineNumbers(),
  foldGutter(),
  history(),
  drawSelection(),
  bracketMatching(),
  highlightActiveLine(),
  json(),
  linter(jsonParseLinter()),
  syntaxHighlighting(editorColours),
  editorLook,
  typingOver,
  EditorView.lineWrapping,
  // The tab key goes on to the next control, as everywhere.
  keymap.of([...defaultKeymap, ...historyKeymap]),
];

const named = (label: string) => EditorView.contentAttributes.of({ 'aria-label': label });

/** Inside the outermost braces. */
const firstPlace = (view: EditorView): number =>
  view.state.doc.lines > 1 ? view.state.doc.line(2).to : view.state.doc.length;
