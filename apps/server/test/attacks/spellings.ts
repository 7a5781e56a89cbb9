import { findShape } from '@tollgate/dialects/checked/shapes'
import { type CheckedMember, CheckedShape } from '@tollgate/dialects/checked/shape'

/** A checked member with its path from the top of the body. */
interface JudgedPlace {
  readonly path: readonly CheckedMember[]
  readonly member: CheckedMember
}

/** Every checked member of a shape; a recursive shape is entered once on each path. */
function placesOf(shape: CheckedShape, path: readonly CheckedMember[] = []): readonly JudgedPlace[] {
  return shape.members.flatMap((member) => {
    const { inside } = member
    const isEntered = inside === undefined || path.some((each) => each.inside === inside)
    return [
      ...(member.isStrict ? [{ path, member }] : []),
      ...(isEntered ? [] : placesOf(inside, [...path, member])),
    ]
  })
}

const NOTHING = new CheckedShape([], { findShape })

const LOOK_ALIKES: Readonly<Record<string, string>> = {
  a: 'а',
  c: 'с',
  e: 'е',
  i: 'ı',
  k: '\u212A',
  o: 'ο',
  p: 'р',
  s: 'ſ',
  x: 'х',
}

/** Unofficial spellings that a lenient parser could take for the name. */
export function oddSpellings({ spellings }: Pick<CheckedMember, 'spellings'>): readonly string[] {
  const [name = ''] = spellings
  const words = name.split('_')
  const camel = words.map((word, at) => (at === 0 ? word : capital(word))).join('')
  const snake = name.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)
  const first = Object.keys(LOOK_ALIKES).find((letter) => name.includes(letter))
  const middle = Math.ceil(name.length / 2)
  const made = [
    name.toUpperCase(),
    capital(name),
    words.map(capital).join(''),
    camel,
    snake,
    words.join('-'),
    words.join('.'),
    words.join('__'),
    `${name}_`,
    ` ${name}`,
    `${name.slice(0, middle)}\u200b${name.slice(middle)}`,
    `\ufeff${name}`,
    `${name}\u0000`,
    `${name.slice(0, 1)}\u0301${name.slice(1)}`,
    fullWidth(name),
    name.replaceAll('i', 'İ'),
    first === undefined ? name : name.replace(first, LOOK_ALIKES[first] ?? first),
  ]
  return [...new Set(made)].filter((each) => !spellings.includes(each))
}

function capital(word: string): string {
  return word.slice(0, 1).toUpperCase() + word.slice(1)
}

function fullWidth(name: string): string {
  return name.replaceAll(/[a-z]/g, (letter) => String.fromCharCode(letter.charCodeAt(0) + 0xfe_e0))
}

/** A body that contains a checked member in a way that two parsers could read differently. */
export interface SpellingAttack {
  readonly name: string
  readonly json: string
}

/**
 * Every checked member in every unofficial spelling: alone, beside the official one, and the official one
 * twice.
 */
export function spellingAttacks(
  shape: CheckedShape,
  base: Readonly<Record<string, unknown>>,
): SpellingAttack[] {
  return placesOf(shape).flatMap(({ path, member }) => {
    const place = [...path, member].map(({ name }) => name).join('.')
    const made = (names: readonly string[]) => ({
      name: `${place}: ${JSON.stringify(names)}`,
      json: bodyWith(base, path, names),
    })
    const [name = '', other] = member.spellings
    return [
      ...oddSpellings(member).map((odd) => made([odd])),
      made([name, member.name.toUpperCase()]),
      made([name, name]),
      made([name, `${name.slice(0, -1)}${escapeOf(name.slice(-1))}`]),
      ...(other === undefined ? [] : [made([name, other])]),
    ]
  })
}

/** The same body with each checked member in each of its official spellings. */
export function officialBodies(
  shape: CheckedShape,
  base: Readonly<Record<string, unknown>>,
): SpellingAttack[] {
  return placesOf(shape).flatMap(({ path, member }) =>
    member.spellings.map((name) => ({ name, json: bodyWith(base, path, [name]) })),
  )
}

/**
 * Field names of a form that two parsers could read differently, for each checked field; the plain name is
 * sent twice.
 */
export function fieldAttacks(shape: CheckedShape): readonly (readonly string[])[] {
  return shape.members
    .filter(({ isStrict }) => isStrict)
    .flatMap((member) => {
      const [name = ''] = member.spellings
      const indexed = [`${name}[]`, `${name}[0]`].filter((each) => !member.spellings.includes(each))
      return [[name, name], ...[...oddSpellings(member), ...indexed].map((odd) => [odd])]
    })
}

/** The same attacks inside a member whose value is a JSON string. */
export function textAttacks(
  shape: CheckedShape,
  { base, names }: { readonly base: Readonly<Record<string, unknown>>; readonly names: readonly string[] },
): SpellingAttack[] {
  return names.flatMap((holder) =>
    spellingAttacks(shape.exactly(holder)?.inside ?? NOTHING, {}).map(({ name, json }) => ({
      name: `${holder} as a text: ${name}`,
      json: JSON.stringify({ ...base, [holder]: json }),
    })),
  )
}

/**
 * Nests the attack alternately in objects and lists. Names in `names` may contain JSON escapes, which are
 * kept.
 */
function bodyWith(
  base: Readonly<Record<string, unknown>>,
  path: readonly CheckedMember[],
  names: readonly string[],
): string {
  const attack = names.map((name, at) => `${quoted(name)}:${at + 1}`).join()
  const inner = path.toReversed().reduce((text, { name }, depth) => {
    const object = `{${text}}`
    return `${quoted(name)}:${depth % 2 === 0 ? `[${object}]` : object}`
  }, attack)
  const first = path[0]
  const replaced = first?.spellings ?? names
  const rest = Object.entries(base).filter(([name]) => !replaced.includes(name))
  return `{${[...rest.map(([name, value]) => `${quoted(name)}:${JSON.stringify(value)}`), inner].join()}}`
}

function escapeOf(character: string): string {
  return `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`
}

/** Keeps `\u` escapes in the name instead of escaping their backslash. */
function quoted(name: string): string {
  return JSON.stringify(name).replaceAll('\\\\u', '\\u')
}
