/** How often tests of crashes kill nodes: as often as they promise in `npm run test:chaos`, else enough to notice. */
export const kills = Number(process.env.PLINTH_TEST_KILLS ?? 4);
