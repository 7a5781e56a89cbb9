import { foldName } from '@tollgate/kit/fold-name'
import { isRecord, type JsonObject } from './json.ts'

/** Limits that the gateway reads and bounds the ceiling by. */
const LIMITS = new Set(['maxtokens', 'maxcompletiontokens', 'maxoutputtokens'])
/** Members that hold further options, in which vendors look for the same names. */
const HOLDERS = new Set([
  'extrabody',
  'extrafields',
  'generationconfig',
  'options',
  'outputconfig',
  'parameters',
  'reasoning',
  'thinking',
  'thinkingconfig',
])
/** Limits and budgets of output under the names of various vendors. */
const AMOUNT = /tokens?(?:max|limit|budget)?$|^(?:n|num)predict$|budget(?:tokens?)?$|^(?:max|min)length$/
const DEPTH_MAX = 4
const MEMBERS_MAX = 200

/**
 * The member by which a request asks for output that its own limit may not count: a budget of reasoning, or a
 * limit under a vendor's name. `undefined` where there is none.
 */
export function findAddedOutput(body: JsonObject, depth = 0): string | undefined {
  if (depth >= DEPTH_MAX) return undefined
  for (const name of Object.keys(body).slice(0, MEMBERS_MAX)) {
    const folded = foldName(name)
    const value = body[name]
    if (isAmount(folded, value) || isReasoning(folded, value)) return name
    if (!HOLDERS.has(folded) || !isRecord(value)) continue
    const inside = findAddedOutput(value, depth + 1)
    if (inside !== undefined) return `${name}.${inside}`
  }
  return undefined
}

/** -1 stands for no limit; some vendors read numbers from texts. */
function isAmount(folded: string, value: unknown): boolean {
  if (LIMITS.has(folded) || !AMOUNT.test(folded)) return false
  if (value === true) return true
  const number = typeof value === 'string' ? Number(value) : value
  return typeof number === 'number' && number !== 0
}

/** Reasoning that is switched on. */
function isReasoning(folded: string, value: unknown): boolean {
  if (folded === 'enablethinking' || folded === 'includereasoning') return value === true
  if (folded === 'reasoningeffort') return typeof value === 'string' && !/^(?:none|off)$/i.test(value)
  if (folded !== 'thinking' && folded !== 'reasoning') return false
  if (!isRecord(value)) return value === true
  return value['type'] !== 'disabled' && value['enabled'] !== false && value['effort'] !== 'none'
}
