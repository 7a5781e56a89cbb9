import { recordAt, textAt, type JsonObject } from '../json.ts'
import { toolsOf } from '../requested-tools.ts'

/**
 * Memory of a container of the code interpreter, by what it costs beside the smallest one.
 * https://platform.openai.com/docs/pricing#built-in-tools
 */
const SIZES: Readonly<Record<string, number>> = { '1g': 1, '4g': 4, '16g': 16, '64g': 64 }

/**
 * What the containers for which a request, or the answer that repeats its tools, asks cost: in smallest containers, 0
 * when it asks for none.
 */
export function containersOf(body: JsonObject): number {
  const tools = toolsOf(body).filter((tool) => tool['type'] === 'code_interpreter')
  return tools.reduce((most, tool) => Math.max(most, sizeOf(recordAt(tool, 'container') ?? {})), 0)
}

function sizeOf(container: JsonObject): number {
  const memory = textAt(container, 'memory_limit')?.toLowerCase() ?? '1g'
  return Object.hasOwn(SIZES, memory) ? (SIZES[memory] ?? 1) : 64
}
