import { editedAsk } from '@tollgate/dialects/ask-edit'
import type { Ask } from '@tollgate/dialects/dialect'
import { isRecord, recordAt } from '@tollgate/dialects/json'
import type { Admitted } from '../admit/admitted.ts'

/** Returns the call with a lower output limit; the other bytes of its body are unchanged. */
export function withOutputLimit(admitted: Admitted, outputTokensMax: number): Admitted {
  const set = limitOf(admitted, outputTokensMax)
  return { ...admitted, ask: editedAsk(admitted.ask, { set, facts: { outputTokensMax } }) }
}

/** The members that limit output in the caller's dialect. */
function limitOf({ operation, ask }: Admitted, most: number): Record<string, unknown> {
  if (operation === 'responses') return { max_output_tokens: most }
  if (operation === 'generate') return configOf(ask, most)
  const told = ['max_tokens', 'max_completion_tokens'].filter((name) => typeof ask.body[name] === 'number')
  const names = told.length > 0 ? told : ['max_tokens']
  return { ...Object.fromEntries(names.map((name) => [name, most])), ...thinkingOf(ask, most) }
}

/** https://docs.anthropic.com/en/docs/build-with-claude/extended-thinking */
const THINKING_TOKENS_MIN = 1_024

/**
 * Claude refuses a call whose thinking budget is not below its output limit. Thinking gets half of the
 * output.
 */
function thinkingOf({ body }: Ask, most: number): Record<string, unknown> {
  const thinking = recordAt(body, 'thinking')
  const budget = thinking?.['budget_tokens']
  if (typeof budget !== 'number' || budget < most) return {}
  if (most <= THINKING_TOKENS_MIN) return { thinking: { type: 'disabled' } }
  const half = Math.max(Math.floor(most / 2), THINKING_TOKENS_MIN)
  return { thinking: { ...thinking, budget_tokens: half } }
}

function configOf({ body }: Ask, most: number): Record<string, unknown> {
  const name = isRecord(body['generation_config']) ? 'generation_config' : 'generationConfig'
  const config = body[name]
  const limit = isRecord(config) && 'max_output_tokens' in config ? 'max_output_tokens' : 'maxOutputTokens'
  return { [name]: { ...(isRecord(config) ? config : {}), [limit]: most } }
}
