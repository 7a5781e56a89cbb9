import * as z from 'zod/mini'

/** Fields of a search schema. Each has a default, which replaces a missing or invalid value. */

export function textField(charactersMax?: number) {
  const text = charactersMax === undefined ? z.string() : z.string().check(z.maxLength(charactersMax))
  return z.catch(text, '')
}

interface NumberRange {
  readonly min?: number
  readonly max?: number
  /** Default: 0, which means "not filtered". */
  readonly fallback?: number
}

/** An integer. */
export function numberField({ min = 0, max = Number.MAX_SAFE_INTEGER, fallback = 0 }: NumberRange = {}) {
  const whole = z.int().check(z.minimum(min), z.maximum(max))
  return z.catch(z.pipe(z.coerce.number(), whole), fallback)
}

/** One of a fixed set of words. */
export function choiceField<const Choice extends string>(choices: readonly Choice[], fallback: Choice) {
  return z.catch(z.enum(choices), fallback)
}
