import { nearestEffort } from '@tollgate/dialects/traits/efforts'
import { defaultClaudeOptions } from '../claude-options.ts'
import type { RequestQuirk } from '../provider.ts'
import { isTold, omit, traitsFor, type Body } from './body.ts'
import { modelSuffix } from './model-suffix.ts'

const OUTPUT_MIN = 1280
const EFFORTS = ['max', 'xhigh', 'high', 'medium', 'low'] as const

/**
 * Reads suffixes of the model name: `-thinking` sets a thinking budget, `-high` and similar set an effort.
 * Thinking parameters in the body take precedence.
 * https://docs.anthropic.com/en/docs/build-with-claude/extended-thinking
 */
export const claudeThinking: readonly RequestQuirk[] = [
  (outgoing, upstream) => {
    const { hasThinkingSuffix, thinkingShare } = outgoing.claude ?? defaultClaudeOptions
    if (!hasThinkingSuffix) return outgoing
    const takesBudgets = traitsFor(outgoing).thinkingBudget !== false
    const thinking = (body: Body) => (takesBudgets ? withBudget(body, thinkingShare) : adaptively(body))
    return modelSuffix({ models: /^claude-/, suffixes: { thinking } })(outgoing, upstream)
  },
  (outgoing, upstream) => {
    const { adaptiveThinking, efforts = EFFORTS } = traitsFor(outgoing)
    if (adaptiveThinking !== true) return outgoing
    const suffixes = EFFORTS.map((word) => [
      word,
      (body: Body) => adaptively(body, nearestEffort(word, efforts)),
    ])
    return modelSuffix({ models: /^claude-/, suffixes: Object.fromEntries(suffixes) })(outgoing, upstream)
  },
]

function withBudget(body: Body, share: number): Body {
  if (isTold(body, 'thinking')) return body
  const reported = body['max_tokens']
  const most = Math.max(typeof reported === 'number' ? reported : 0, OUTPUT_MIN)
  const thinking = { type: 'enabled', budget_tokens: Math.floor(most * share) }
  return { ...omit(body, 'temperature', 'top_p', 'top_k'), max_tokens: most, thinking }
}

function adaptively(body: Body, effort?: string): Body {
  if (isTold(body, 'thinking')) return body
  const config = body['output_config']
  return {
    ...omit(body, 'temperature', 'top_p', 'top_k'),
    thinking: { type: 'adaptive' },
    ...(effort !== undefined && {
      output_config: { ...(typeof config === 'object' ? config : {}), effort },
    }),
  }
}
