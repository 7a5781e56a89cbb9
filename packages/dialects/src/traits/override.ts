import { ownValue } from '@tollgate/kit/own-value'
import { isRecord } from '../json.ts'
import { traitFields } from './fields.ts'
import { remembered, traitsOf, type TraitsOf } from './lookup.ts'
import type { ModelTraits } from './model-traits.ts'

/**
 * Overrides the traits of models for one channel, by its setting `model_traits`: traits by a pattern of
 * names, such as `{"gpt-6*": {"refuses": ["top_p"], "responses_for": []}}`. Traits that a pattern does not
 * set come from the table, unless it sets `"from_table": false`. If several patterns match, later ones win.
 */

const PATTERNS_MAX = 200
const PATTERN_CHARACTERS_MAX = 255

interface Rule {
  readonly fits: (model: string) => boolean
  readonly isFromTable: boolean
  readonly traits: ModelTraits
}

/**
 * Returns the lookup for the models of a channel. Invalid parts of the setting are ignored in favour of the
 * table.
 */
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

export interface InvalidTrait {
  readonly pattern: string
  /** Name of the invalid member; "" if the pattern itself or its whole value is invalid. */
  readonly name: string
  /** Valid values, written language-neutrally. */
  readonly values: string
}

/** Returns the first invalid part of a setting; `undefined` if all of it is valid. */
export function invalidTrait(setting: unknown): InvalidTrait | undefined {
  if (setting === undefined || setting === null) return undefined
  if (!isRecord(setting) || Object.keys(setting).length > PATTERNS_MAX)
    return { pattern: '', name: '', values: `{"gpt-*": {…}, …} (≤ ${PATTERNS_MAX})` }
  for (const [pattern, members] of Object.entries(setting)) {
    const wrong = wrongIn(pattern, members)
    if (wrong !== undefined) return { pattern, ...wrong }
  }
  return undefined
}

function wrongIn(pattern: string, members: unknown): Omit<InvalidTrait, 'pattern'> | undefined {
  if (pattern.trim() === '' || pattern.length > PATTERN_CHARACTERS_MAX)
    return { name: '', values: `"gpt-*" (≤ ${PATTERN_CHARACTERS_MAX})` }
  if (!isRecord(members)) return { name: '', values: '{"refuses": […], …}' }
  const wrong = Object.entries(members).find(([name, value]) => readMember(name, value) === undefined)
  if (wrong === undefined) return undefined
  const [name] = wrong
  const known = ownValue(traitFields, name)?.values
  const all = [...Object.keys(traitFields), FROM_TABLE].join(', ')
  return { name, values: name === FROM_TABLE ? 'true, false' : (known ?? all) }
}

const FROM_TABLE = 'from_table'

function readMember(name: string, value: unknown): ModelTraits | undefined {
  if (name === FROM_TABLE) return typeof value === 'boolean' ? {} : undefined
  return ownValue(traitFields, name)?.read(value)
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

/** `*` matches any characters. Each piece is searched for once, so matching takes linear time. */
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
