/** Letters that look like a Latin letter in upper or lower case: capital В like B, small у like y. */
const LATIN: ReadonlyMap<string, string> = new Map(
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

/** Replaces lower-case Cyrillic and Greek letters with the Latin letters that they look like. */
export function withLatinLetters(text: string): string {
  return text.replace(/[\p{Script=Cyrillic}\p{Script=Greek}]/gu, (letter) => LATIN.get(letter) ?? letter)
}
