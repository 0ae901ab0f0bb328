/** The sign of the service: a plinth. */
export const iconPath = 'M2 1h12v3H2zm2 4h8v6H4zM1 12h14v3H1z';

const icon = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 16 16"><path fill="#4f46e5" d="${iconPath}"/></svg>`;

/** The same for a browser's tab. A policy must allow it: `img-src data:`. */
export const iconAddress = `data:image/svg+xml,${encodeURIComponent(icon)}`;
