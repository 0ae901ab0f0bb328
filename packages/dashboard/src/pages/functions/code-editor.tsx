import { defaultKeymap, history, historyKeymap } from '@codemirror/commands';
import {
  bracketMatching,
  delimitedIndent,
  foldGutter,
  foldInside,
  foldNodeProp,
  indentNodeProp,
  LRLanguage,
  syntaxHighlighting,
} from '@codemirror/language';
import { EditorState } from '@codemirror/state';
import { drawSelection, EditorView, highlightActiveLine, keymap, lineNumbers } from '@codemirror/view';
import { parser } from '@lezer/javascript';
import { useEffect, useRef } from 'react';
import { editorColours, editorLook } from '../../kit/editor-look.ts';
import { typingOver } from '../../kit/typing-over.ts';
import css from './code-part.module.css';

export interface CodeEditorProps {
  readonly label: string;
  /** What it begins with; another text needs another editor. */
  readonly text: string;
  /** Without it the text can only be read. */
  readonly onChange?: ((text: string) => void) | undefined;
}

/** An editor for TypeScript, in a shadow tree where its styles are sheets of their own: the page's policy allows no `<style>`. */
export function CodeEditor({ label, text, onChange }: CodeEditorProps) {
  const host = useRef<HTMLDivElement>(null);
  const first = useRef(text);
  const hear = useRef(onChange);
  const isReadOnly = onChange === undefined;
  useEffect(() => {
    hear.current = onChange;
  }, [onChange]);
  useEffect(() => {
    if (!host.current) return;
    const root = host.current.shadowRoot ?? host.current.attachShadow({ mode: 'open' });
    const tell = EditorView.updateListener.of(({ docChanged, state }) => {
      if (docChanged) hear.current?.(state.doc.toString());
    });
    const own = [
      EditorState.readOnly.of(isReadOnly),
      EditorView.contentAttributes.of({ 'aria-label': label, 'aria-readonly': String(isReadOnly) }),
    ];
    const view = new EditorView({
      root,
      parent: root,
      state: EditorState.create({ doc: first.current, extensions: [...basics, ...own, tell] }),
    });
    return () => view.destroy();
  }, [label, isReadOnly]);
  return <div className={css.host} ref={host} />;
}

const typeScript = LRLanguage.define({
  name: 'typescript',
  parser: parser.configure({
    dialect: 'ts',
    props: [
      indentNodeProp.add({
        'Block ClassBody ObjectExpression ObjectType': delimitedIndent({ closing: '}' }),
        ArrayExpression: delimitedIndent({ closing: ']' }),
        'ArgList ParamList ParenthesizedExpression': delimitedIndent({ closing: ')', align: false }),
      }),
      foldNodeProp.add({ 'Block ClassBody ObjectExpression ArrayExpression ObjectType': foldInside }),
    ],
  }),
});

const basics = [
  lineNumbers(),
  foldGutter(),
  history(),
  drawSelection(),
  bracketMatching(),
  highlightActiveLine(),
  typeScript,
  syntaxHighlighting(editorColours),
  editorLook,
  typingOver,
  EditorView.lineWrapping,
  // The tab key goes on to the next control, as everywhere.
  keymap.of([...defaultKeymap, ...historyKeymap]),
];
