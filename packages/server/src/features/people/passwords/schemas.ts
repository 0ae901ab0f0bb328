import { Type } from 'typebox';

/** A new password. */
export const password = Type.String({ minLength: 8, maxLength: 256 });
/** A password to compare: its form tells nothing, so only its size is bounded. */
export const givenPassword = Type.String({ maxLength: 256 });

export const signInBody = Type.Object(
  { email: Type.String({ maxLength: 254 }), password: givenPassword },
  { additionalProperties: false },
);

export const changePasswordBody = Type.Object(
  { old_password: givenPassword, new_password: password },
  { additionalProperties: false },
);
