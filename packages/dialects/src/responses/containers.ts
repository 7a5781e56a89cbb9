import { ownValue } from '@tollgate/kit/own-value'
import { recordAt, textAt, type JsonObject } from '../json.ts'
import { toolsOf } from '../requested-tools.ts'

/**
 * Memory sizes of a code interpreter container, by their price relative to the smallest one.
 * https://platform.openai.com/docs/pricing#built-in-tools
 */
const SIZES: Readonly<Record<string, number>> = { '1g': 1, '4g': 4, '16g': 16, '64g': 64 }

/**
 * Price of the largest code interpreter container that a request asks for, in units of the smallest
 * container; 0 if it asks for none. Also works on a response, which repeats the tools of its request.
 */
export function containersOf(body: JsonObject): number {
  const tools = toolsOf(body).filter((tool) => tool['type'] === 'code_interpreter')
  return tools.reduce((most, tool) => Math.max(most, sizeOf(recordAt(tool, 'container') ?? {})), 0)
}

function sizeOf(container: JsonObject): number {
  const memory = textAt(container, 'memory_limit')?.toLowerCase() ?? '1g'
  return ownValue(SIZES, memory) ?? 64
}
