import { type FieldShape, splitEscaped } from '@plinth/protocol';

/** A field with those in it. */
export interface FieldNode {
  readonly shape: FieldShape | undefined;
  readonly fields: Map<string, FieldNode>;
  /** What stands in its array. */
  elements: FieldNode | undefined;
}

/** Puts the paths of a shape together again: `lines[].sku` is a field of the elements of `lines`. */
export function treeOf(fields: readonly FieldShape[]): FieldNode {
  const root = newNode(undefined);
  for (const shape of fields) {
    const keys = splitEscaped(shape.path, '.');
    let node: FieldNode | undefined = root;
    for (const [at, key] of keys.entries()) {
      if (!node) break;
      node = reach(node, key, at === keys.length - 1 ? shape : undefined);
    }
  }
  return root;
}

/** The node of a key such as `lines` or `lines[]`; it is made if the shape is that of its own. */
function reach(parent: FieldNode, key: string, shape: FieldShape | undefined): FieldNode | undefined {
  const [, name = key, brackets = ''] = /^(.*?)((?:\[\])*)$/s.exec(key) ?? [];
  const depth = brackets.length / 2;
  let node = parent.fields.get(name);
  if (!node) {
    if (!shape || depth > 0) return undefined;
    node = newNode(shape);
    parent.fields.set(name, node);
    return node;
  }
  for (let level = 1; level <= depth; level += 1) {
    if (!node.elements) {
      if (!shape || level < depth) return undefined;
      node.elements = newNode(shape);
    }
    node = node.elements;
  }
  return node;
}

function newNode(shape: FieldShape | undefined): FieldNode {
  return { shape, fields: new Map(), elements: undefined };
}
