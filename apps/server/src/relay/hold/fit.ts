import type { Admitted } from '../admit/admitted.ts'
import { readAsk } from '@tollgate/dialects/ask'
import { spliceTopLevel } from '@tollgate/dialects/json-splice'

const LIMITS = ['max_tokens', 'max_completion_tokens'] as const

/** The same call, asking for less output; the rest of its bytes stays as it came. */
export function withOutputLimit(admitted: Admitted, outputTokensMax: number): Admitted {
  const { operation, ask } = admitted
  const told = LIMITS.filter((name) => typeof ask.body[name] === 'number')
  const names = told.length > 0 ? told : ['max_tokens']
  const set = Object.fromEntries(names.map((name) => [name, outputTokensMax]))
  const bytes = spliceTopLevel(ask.bytes, { set, members: ask.members })
  return { ...admitted, ask: readAsk(operation, bytes, { defaultModel: ask.model }) }
}
