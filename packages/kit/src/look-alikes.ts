/** By the looks of either case: a capital В and a B, a small у and a y. */
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

/** Replaces small Cyrillic and Greek letters by the Latin letters that look the same. */
export function withLatinLetters(text: string): string {
  return text.replace(/[\p{Script=Cyrillic}\p{Script=Greek}]/gu, (letter) => LATIN.get(letter) ?? letter)
}
