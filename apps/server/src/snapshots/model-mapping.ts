import { jsonMembers } from './json-object.ts'

/**
 * Requested name to upstream name. `undefined` as a value means that the chain is circular and the channel
 * cannot serve the model.
 */
export type ModelMapping = ReadonlyMap<string, string | undefined>

/** Mapping chains are followed to their end; a model mapped to itself ends one. */
export function modelMapping(text: string): ModelMapping {
  const steps = new Map<string, string>()
  for (const [from, to] of jsonMembers(text)) if (typeof to === 'string' && to !== '') steps.set(from, to)
  return new Map([...steps.keys()].map((from) => [from, endOfChain(steps, from)]))
}

function endOfChain(steps: ReadonlyMap<string, string>, from: string): string | undefined {
  const seen = new Set([from])
  let name = from
  for (;;) {
    const next = steps.get(name)
    if (next === undefined || next === name) return name
    if (seen.has(next)) return undefined
    seen.add(next)
    name = next
  }
}
