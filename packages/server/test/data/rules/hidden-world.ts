/** Fields of every kind that can be hidden. */
export const hiddenFields = ['pin', 'profile.ssn', 'boss_id', 'deep.er.still', 'odd\\.name', 'items.cost'];

export const canary = 'canary-4f1d';

/** What everyone sees of the document. */
export const open = {
  title: 'T',
  profile: { name: 'Ada' },
  deep: { er: { seen: 1 } },
  odd: { name: 'visible' },
  items: [{ name: 'tea' }, 'loose', [{}]],
};

/** What the API key sees of it. */
export const secret = (bossId: string) => ({
  ...open,
  pin: canary,
  profile: { name: 'Ada', ssn: canary },
  boss_id: bossId,
  deep: { er: { seen: 1, still: canary } },
  'odd.name': canary,
  items: [{ name: 'tea', cost: canary }, 'loose', [{ cost: canary }]],
});
