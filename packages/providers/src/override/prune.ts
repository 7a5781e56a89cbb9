import { isRecord, textAt, type JsonObject } from '@tollgate/dialects/json'
import { problem } from '@tollgate/problems/problem'
import { conditionTest, type Test } from './conditions.ts'

/**
 * Removes objects from lists and from members. The selection is a `type`, given as a text, or `{type, where,
 * conditions, logic, recursive}`, where all parts have to match unless the logic is `OR`. Kept values are
 * searched too, unless `recursive` is false. Returns the same value when nothing was removed.
 */
export function pruner(value: unknown): (holder: unknown) => unknown {
  const options = typeof value === 'string' ? { type: value } : value
  if (!isRecord(options)) throw problem('channel_override_invalid', { mode: 'prune_objects' })
  const isMeant = testOf(options)
  const isDeep = options['recursive'] !== false
  const prune = (holder: unknown): unknown => {
    if (Array.isArray(holder)) return prunedList(holder)
    return isRecord(holder) ? prunedRecord(holder) : holder
  }
  const inside = isDeep ? prune : (kept: unknown) => kept
  const isKept = (item: unknown) => !isRecord(item) || !isMeant(item)

  function prunedList(list: readonly unknown[]): readonly unknown[] {
    const kept = list.filter(isKept).map(inside)
    return kept.length === list.length && kept.every((item, place) => item === list[place]) ? list : kept
  }

  function prunedRecord(record: JsonObject): JsonObject {
    const members = Object.entries(record)
    const kept = members.flatMap(([name, member]) =>
      isKept(member) ? [[name, inside(member)] as const] : [],
    )
    const isSame = kept.length === members.length && kept.every(([name, member]) => member === record[name])
    return isSame ? record : Object.fromEntries(kept)
  }

  return prune
}

/** A rule without a condition would remove everything, so it is invalid. */
function testOf(options: JsonObject): Test {
  const type = textAt(options, 'type')
  const { where, conditions } = options
  const logic = textAt(options, 'logic') ?? 'AND'
  const rules = [type === undefined ? undefined : { type }, where, conditions].filter(isRule)
  if (rules.length === 0) throw problem('channel_override_invalid', { mode: 'prune_objects' })
  const tests = rules.map((rule) => conditionTest(rule, logic))
  return logic.toUpperCase() === 'OR'
    ? (object) => tests.some((test) => test(object))
    : (object) => tests.every((test) => test(object))
}

function isRule(rule: unknown): boolean {
  return Array.isArray(rule) ? rule.some(isRecord) : isRecord(rule) && Object.keys(rule).length > 0
}
