/** Those that are tried first, of the ones that are long enough: in small letters. */
const common: ReadonlySet<string> = new Set(
  `
  password passwort motdepasse contraseña password1 password12 password123 password1234 passw0rd p@ssw0rd p@ssword
  12345678 123456789 1234567890 12345678910 123123123 11111111 111111111 00000000 88888888 87654321 987654321
  11223344 12341234 1q2w3e4r 1q2w3e4r5t 1qaz2wsx qwertyui qwertyuiop qwerty12 qwerty123 qwerty1234 qwertz123
  asdfghjk asdfghjkl asdf1234 zxcvbnm1 abcd1234 abc12345 abcdefgh a1234567 aa123456 q1w2e3r4 iloveyou iloveyou1
  sunshine princess football baseball superman trustno1 letmein1 welcome1 welcome123 whatever starwars
  changeme changeme1 admin123 administrator admin1234 test1234 testtest computer internet michelle jennifer
  `
    .trim()
    .split(/\s+/),
);

/** Is it one of the first that anybody would try? */
export function isCommonPassword(password: string): boolean {
  return common.has(password.toLowerCase());
}
