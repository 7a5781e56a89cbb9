import type { Ask } from '@tollgate/dialects/dialect'
import { spellingIn } from '@tollgate/dialects/gemini/members'
import { recordAt } from '@tollgate/dialects/json'

/** The members that limit output, in each dialect. */

type Members = Readonly<Record<string, unknown>>

export function maxTokens(ask: Ask, most: number): Members {
  const reported = ['max_tokens', 'max_completion_tokens'].filter(
    (name) => typeof ask.body[name] === 'number',
  )
  const names = reported.length > 0 ? reported : ['max_tokens']
  return { ...Object.fromEntries(names.map((name) => [name, most])), ...thinkingOf(ask, most) }
}

export function maxOutputTokens(_ask: Ask, most: number): Members {
  return { max_output_tokens: most }
}

export function generationConfig({ body }: Ask, most: number): Members {
  const name = spellingIn(body, 'generationConfig')
  const config = recordAt(body, name) ?? {}
  return { [name]: { ...config, [spellingIn(config, 'maxOutputTokens')]: most } }
}

/** https://docs.anthropic.com/en/docs/build-with-claude/extended-thinking */
const THINKING_TOKENS_MIN = 1_024

/**
 * Claude refuses a call whose thinking budget is not below its output limit. Thinking gets half of the
 * output.
 */
function thinkingOf({ body }: Ask, most: number): Members {
  const thinking = recordAt(body, 'thinking')
  const budget = thinking?.['budget_tokens']
  if (typeof budget !== 'number' || budget < most) return {}
  if (most <= THINKING_TOKENS_MIN) return { thinking: { type: 'disabled' } }
  const half = Math.max(Math.floor(most / 2), THINKING_TOKENS_MIN)
  return { thinking: { ...thinking, budget_tokens: half } }
}
