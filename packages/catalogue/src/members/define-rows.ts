import { foldName } from '@tollgate/kit/fold-name'
import type { MemberEffect, MemberRow, MemberSource } from './member-row.ts'

type RowOptions = Pick<MemberRow, 'inside' | 'only' | 'reportedBy' | 'isRefused'>

/** One row, such as `defineRow('models', 'names', OPENROUTER_MODELS, { reportedBy: ['openrouter'] })`. */
export function defineRow(
  name: string,
  effect: MemberEffect,
  source: MemberSource,
  options: RowOptions = {},
): MemberRow {
  return { name, effect, source, ...options }
}

/** Rows of one document with one effect, their names separated by white space. */
export function defineRows(effect: MemberEffect, source: MemberSource, names: string): readonly MemberRow[] {
  return names
    .trim()
    .split(/\s+/)
    .map((name) => ({ name, effect, source }))
}

/** The rows of several lists; where a member occurs in two, the first one counts. */
export function composeRows(...lists: readonly (readonly MemberRow[])[]): readonly MemberRow[] {
  const keys = new Set<string>()
  return lists.flat().filter(({ name }) => {
    const own = new Set(name.split('|').map(foldName))
    if (own.values().some((key) => keys.has(key))) return false
    for (const key of own) keys.add(key)
    return true
  })
}

/** Gemini accepts every member in camel case or in snake case, but not both at once. */
export function acceptBothCases(list: readonly MemberRow[]): readonly MemberRow[] {
  return list.map((each) => {
    const snake = each.name.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)
    return snake === each.name ? each : { ...each, name: `${each.name}|${snake}` }
  })
}
