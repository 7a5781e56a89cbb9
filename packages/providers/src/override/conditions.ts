import { isRecord, textAt, type JsonObject } from '@tollgate/dialects/json'
import { problem } from '@tollgate/problems/problem'
import { ownValue } from '@tollgate/kit/own-value'
import { atPath } from './paths.ts'

/** Whether the conditions select an object. */
export type Test = (object: JsonObject) => boolean

/**
 * `conditions` is a list of `{path, mode, value, invert, pass_missing_key}`, or an object of values by path.
 * One condition has to hold, or all of them with the logic `AND`. Without conditions every object is
 * selected.
 */
export function conditionTest(conditions: unknown, logic: string | undefined): Test {
  const list = Array.isArray(conditions) ? conditions.filter(isRecord) : byPaths(conditions)
  const tests = list.map(testOf)
  if (tests.length === 0) return () => true
  return logic?.toUpperCase() === 'AND'
    ? (object) => tests.every((test) => test(object))
    : (object) => tests.some((test) => test(object))
}

function byPaths(conditions: unknown): readonly JsonObject[] {
  if (!isRecord(conditions)) return []
  return Object.entries(conditions).map(([path, value]) => ({ path, mode: 'full', value }))
}

function testOf(condition: JsonObject): Test {
  const path = textAt(condition, 'path') ?? ''
  const mode = textAt(condition, 'mode') ?? 'full'
  const compare = ownValue(comparisons, mode)
  if (compare === undefined) throw problem('channel_override_invalid', { mode: mode.slice(0, 40) })
  const { value } = condition
  const isInverted = condition['invert'] === true
  const holdsWithout = condition['pass_missing_key'] === true
  return (object) => {
    const found = atPath(object, path)
    return found === undefined ? holdsWithout : compare(found, value) !== isInverted
  }
}

const comparisons: Readonly<Record<string, (found: unknown, value: unknown) => boolean>> = {
  full: (found, value) => JSON.stringify(found) === JSON.stringify(value),
  prefix: (found, value) => textsOf(found, value, (text, part) => text.startsWith(part)),
  suffix: (found, value) => textsOf(found, value, (text, part) => text.endsWith(part)),
  contains: (found, value) => textsOf(found, value, (text, part) => text.includes(part)),
  gt: (found, value) => Number(found) > Number(value),
  gte: (found, value) => Number(found) >= Number(value),
  lt: (found, value) => Number(found) < Number(value),
  lte: (found, value) => Number(found) <= Number(value),
}

function textsOf(found: unknown, value: unknown, compare: (text: string, part: string) => boolean): boolean {
  return typeof found === 'string' && typeof value === 'string' && compare(found, value)
}
