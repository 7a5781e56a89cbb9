import { isRecord } from '../json.ts'
import { traitFields } from './fields.ts'
import { remembered, traitsOf, type TraitsOf } from './lookup.ts'
import type { ModelTraits } from './model-traits.ts'

/**
 * What an operator knows better about the models of one channel, in its setting `model_traits`: traits by a pattern of
 * names, such as `{"gpt-6*": {"refuses": ["top_p"], "responses_for": []}}`. What a pattern does not mention stays as the
 * table has it, unless it says `"from_table": false`. Of several patterns that fit, later ones win.
 */

const PATTERNS_MAX = 200
const PATTERN_CHARACTERS_MAX = 255

interface Rule {
  readonly fits: (model: string) => boolean
  readonly isFromTable: boolean
  readonly traits: ModelTraits
}

/** The traits of models as a channel has them. What cannot be read is left to the table. */
export function traitsWith(setting: unknown): TraitsOf {
  const rules = isRecord(setting)
    ? Object.entries(setting).flatMap(([pattern, members]) => ruleOf(pattern, members) ?? [])
    : []
  return rules.length === 0 ? traitsOf : remembered((model) => applied(rules, model))
}

function applied(rules: readonly Rule[], model: string): ModelTraits {
  return rules
    .filter(({ fits }) => fits(model))
    .reduce<ModelTraits>(
      (known, { isFromTable, traits }) => ({ ...(isFromTable && known), ...traits }),
      traitsOf(model),
    )
}

export interface WrongTrait {
  readonly pattern: string
  /** The member that is wrong; "" when the pattern itself or its whole value is. */
  readonly name: string
  /** What would be right, in no language. */
  readonly values: string
}

/** The first thing in a setting that cannot be read; `undefined` when all of it can. */
export function wrongTrait(setting: unknown): WrongTrait | undefined {
  if (setting === undefined || setting === null) return undefined
  if (!isRecord(setting) || Object.keys(setting).length > PATTERNS_MAX)
    return { pattern: '', name: '', values: `{"gpt-*": {…}, …} (≤ ${PATTERNS_MAX})` }
  for (const [pattern, members] of Object.entries(setting)) {
    const wrong = wrongIn(pattern, members)
    if (wrong !== undefined) return { pattern, ...wrong }
  }
  return undefined
}

function wrongIn(pattern: string, members: unknown): Omit<WrongTrait, 'pattern'> | undefined {
  if (pattern.trim() === '' || pattern.length > PATTERN_CHARACTERS_MAX)
    return { name: '', values: `"gpt-*" (≤ ${PATTERN_CHARACTERS_MAX})` }
  if (!isRecord(members)) return { name: '', values: '{"refuses": […], …}' }
  const wrong = Object.entries(members).find(([name, value]) => readMember(name, value) === undefined)
  if (wrong === undefined) return undefined
  const [name] = wrong
  const known = Object.hasOwn(traitFields, name) ? traitFields[name]?.values : undefined
  const all = [...Object.keys(traitFields), FROM_TABLE].join(', ')
  return { name, values: name === FROM_TABLE ? 'true, false' : (known ?? all) }
}

const FROM_TABLE = 'from_table'

function readMember(name: string, value: unknown): ModelTraits | undefined {
  if (name === FROM_TABLE) return typeof value === 'boolean' ? {} : undefined
  return Object.hasOwn(traitFields, name) ? traitFields[name]?.read(value) : undefined
}

function ruleOf(pattern: string, members: unknown): Rule | undefined {
  if (!isRecord(members)) return undefined
  const traits = Object.entries(members).map(([name, value]) => readMember(name, value) ?? {})
  return {
    fits: wildcard(pattern.trim().toLowerCase()),
    isFromTable: members[FROM_TABLE] !== false,
    traits: Object.assign({}, ...traits),
  }
}

/** `*` stands for any characters. Each piece is looked for once, so a pattern cannot take long. */
function wildcard(pattern: string): (model: string) => boolean {
  const [first = '', ...rest] = pattern.split('*')
  const last = rest.pop()
  return (model) => {
    const name = model.toLowerCase()
    if (last === undefined) return name === first
    if (!name.startsWith(first) || name.length < first.length + last.length) return false
    let place = first.length
    for (const piece of rest) {
      const found = name.indexOf(piece, place)
      if (found === -1) return false
      place = found + piece.length
    }
    return name.endsWith(last) && place <= name.length - last.length
  }
}
