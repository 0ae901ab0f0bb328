/** Begins a script of Redis that needs the time, as `now`: nodes have clocks of their own, and all share that of Redis. */
export const luaClock = `
local time = redis.call('TIME')
local now = time[1] * 1000 + math.floor(time[2] / 1000)
`;
