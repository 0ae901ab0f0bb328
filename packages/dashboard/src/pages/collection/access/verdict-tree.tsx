import type { Verdict } from '../../../api/access.ts';
import { texts } from '../../../texts.ts';
import css from './access.module.css';
import { type JudgedNode, judgedTree } from './judged-tree.ts';
import { Mark } from './mark.tsx';

const { access: words, rules } = texts;

/** How one rule judged: its conditions as they stand in one another, each with the values that decided. */
export function VerdictTree({ verdict }: { readonly verdict: Verdict }) {
  const { action, field, rule, allowed, reason } = verdict;
  const tree = judgedTree(verdict);
  return (
    <div className={css.verdict}>
      <p className={css.line}>
        <Mark isGood={allowed} word={allowed ? words.allowed : words.refused} />
        <span>{words.ruleOf(rules.titles[action], field)}</span>
        <code>{rule}</code>
      </p>
      {tree ? (
        <ul className={css.tree}>
          <Node node={tree} />
        </ul>
      ) : (
        <p className={css.reason}>{reason}</p>
      )}
    </div>
  );
}

function Node({ node }: { readonly node: JudgedNode }) {
  const mark = <Mark isGood={node.passed} word={node.passed ? words.holds : words.fails} />;
  if (node.kind === 'condition')
    return (
      <li>
        <p className={css.line}>
          {mark}
          <code>{node.verdict.condition}</code>
        </p>
        <dl className={css.values}>
          <div>
            <dt>{words.found}</dt>
            <dd>{valueText(node.verdict.found, words.nothing)}</dd>
          </div>
          <div>
            <dt>{words.comparedWith}</dt>
            <dd>{valueText(node.verdict.comparedWith ?? undefined, words.noSuchValue)}</dd>
          </div>
        </dl>
      </li>
    );
  return (
    <li>
      <p className={css.line}>
        {mark}
        <span>{node.kind === 'and' ? words.allOf : words.oneOf}</span>
      </p>
      <ul className={css.tree}>
        {node.of.map((part, at) => (
          // Conditions may be written twice; their place is what tells them apart.
          <Node key={at} node={part} />
        ))}
      </ul>
    </li>
  );
}

const longest = 200;

function valueText(value: unknown, otherwise: string) {
  if (value === undefined) return <em>{otherwise}</em>;
  return <code>{JSON.stringify(value).slice(0, longest)}</code>;
}
