import type { Action } from '../../api/collection.ts';
import { texts } from '../../texts.ts';
import css from './rules-page.module.css';

const { rules: words } = texts;

interface Recipe {
  readonly rules: Readonly<Record<Action, string>>;
  readonly ownerField: string;
}

const ofTeam = 'team__in=@user.claims.teams';
const recipes: Readonly<Record<keyof typeof words.recipeNames, Recipe>> = {
  private: {
    rules: { read: 'owner', create: 'owner', update: 'owner', delete: 'owner' },
    ownerField: 'user_id',
  },
  blog: {
    rules: { read: 'public', create: 'users', update: 'owner', delete: 'owner' },
    ownerField: 'author_id',
  },
  published: {
    rules: {
      read: '[or]status=published&[or]author_id=@user.id',
      create: 'users',
      update: 'owner',
      delete: 'owner',
    },
    ownerField: 'author_id',
  },
  team: {
    rules: { read: ofTeam, create: ofTeam, update: ofTeam, delete: 'owner' },
    ownerField: 'created_by',
  },
};

/** Where every rule is locked: what most collections are. Nothing is saved before somebody has looked at it. */
export function Recipes({ onChoose }: { readonly onChoose: (recipe: Recipe) => void }) {
  return (
    <div className={css.recipes}>
      <p>{words.allLocked}</p>
      <fieldset className={css.buttons}>
        <legend className={css.recipesTitle}>{words.recipes}</legend>
        {(Object.keys(recipes) as (keyof typeof recipes)[]).map((name) => (
          <button key={name} type="button" onClick={() => onChoose(recipes[name])}>
            {words.recipeNames[name]}
          </button>
        ))}
      </fieldset>
    </div>
  );
}
