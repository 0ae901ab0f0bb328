import { EditorView } from '@codemirror/view';

/** Only Chromium has it in a shadow tree, and only Chromium needs it here. */
type Root = (Document | ShadowRoot) & { getSelection?(): Selection | null };

/**
 * Typing over what is selected. Left to itself, Chromium gives the new text the look of the old one
 * as an inline style, which the editor takes away again and the page's policy reports as refused.
 */
export const typingOver = EditorView.domEventHandlers({
  beforeinput(event, view) {
    const { inputType, data, cancelable, isComposing } = event;
    if (inputType !== 'insertText' || data === null || !cancelable || isComposing) return false;
    // The browser's own: the editor hears of a changed selection only later.
    const selected = (view.root as Root).getSelection?.();
    if (!selected || selected.isCollapsed || selected.rangeCount === 0 || view.state.readOnly) return false;
    const range = selected.getRangeAt(0);
    const from = view.posAtDOM(range.startContainer, range.startOffset);
    const to = view.posAtDOM(range.endContainer, range.endOffset);
    const insert = view.state.toText(data);
    view.dispatch({
      changes: { from, to, insert },
      selection: { anchor: from + insert.length },
      scrollIntoView: true,
      userEvent: 'input.type',
    });
    return true;
  },
});
