import { recordAt } from '@tollgate/dialects/json'
import type { RequestQuirk } from '../provider.ts'
import { forModels, omit, onBody, type Body } from './body.ts'
import { onMessages } from './messages.ts'
import { effortSuffix, modelSuffix } from './model-suffix.ts'
import { newerOutputLimit } from './output-limit.ts'

const REASONING = /^(?:o\d|gpt-5(?!-chat))/
/** The first of them knew neither system nor developer messages. */
const WITH_DEVELOPER = /^(?:o\d(?!-mini|-preview)|o[3-9]-mini|gpt-5(?!-chat))/

const EFFORTS = ['xhigh', 'high', 'medium', 'low', 'minimal', 'none'] as const

/** Responses say the effort in an object of its own; a caller's own word wins. */
export const reasoningResponses: readonly RequestQuirk[] = [
  modelSuffix({
    models: REASONING,
    suffixes: Object.fromEntries(EFFORTS.map((effort) => [effort, withEffort(effort)])),
  }),
]

function withEffort(effort: string): (body: Body) => Body {
  return (body) => ({ ...body, reasoning: { effort, ...recordAt(body, 'reasoning') } })
}

/**
 * What OpenAI's reasoning models want otherwise. https://platform.openai.com/docs/guides/reasoning
 * The effort may be named by a suffix of the model; limits go by their newer name; sampling is not theirs to choose.
 */
export const reasoningModels: readonly RequestQuirk[] = [
  effortSuffix(REASONING, EFFORTS),
  forModels(REASONING, newerOutputLimit),
  forModels(
    REASONING,
    onBody((body) => omit(body, 'temperature')),
  ),
  forModels(
    /^gpt-5(?!-chat)/,
    onBody((body) => omit(body, 'top_p', 'logprobs')),
  ),
  forModels(
    WITH_DEVELOPER,
    onMessages((message, index) =>
      index === 0 && message['role'] === 'system' ? { ...message, role: 'developer' } : message,
    ),
  ),
]
