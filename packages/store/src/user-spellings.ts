/** Spellings that count as one, so that nobody can pass for somebody else. */

/** `Ａlice` and `alice` are one name, and so is what looks like it in Cyrillic or Greek letters. */
export function usernameKey(username: string): string {
  const plain = username.normalize('NFKC').toLowerCase()
  return plain.replace(
    /[\p{Script=Cyrillic}\p{Script=Greek}]/gu,
    (letter) => LOOKALIKES.get(letter) ?? letter,
  )
}

/** By the looks of either case: a capital В and a B, a small у and a y. */
const LOOKALIKES: ReadonlyMap<string, string> = new Map(
  [
    'аa',
    'вb',
    'сc',
    'ԁd',
    'еe',
    'нh',
    'һh',
    'іi',
    'јj',
    'кk',
    'ӏl',
    'мm',
    'оo',
    'рp',
    'ԛq',
    'ѕs',
    'тt',
    'уy',
    'ԝw',
    'хx',
  ]
    .concat(['αa', 'βb', 'εe', 'ηh', 'ιi', 'κk', 'μm', 'νn', 'οo', 'ρp', 'τt', 'υy', 'χx', 'ζz'])
    .map(([letter = '', latin = '']) => [letter, latin]),
)

/** As an address is stored and sought. */
export function normalEmail(email: string): string {
  return email.trim().normalize('NFKC').toLowerCase()
}
