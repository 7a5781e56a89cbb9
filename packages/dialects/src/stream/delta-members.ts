import { isAt } from '../bytes-at.ts'

/** Flags for the contents of a chunk that require a closer look. */
export const HAS_USAGE = 1
export const HAS_ERROR = 2
export const HAS_FINISH = 4
export const HAS_CHOICES = 8
/** Tool calls, media and other content that is not text, in a dialect whose frames have no event types. */
export const HAS_MORE = 16
/** Results of a search that the vendor made, beside the answer. */
export const HAS_RESULTS = 32

export type Action =
  | { readonly type: 'text'; readonly of: TextKind }
  | { readonly type: 'name' | 'data' | 'skip' }
  | { readonly type: 'flag'; readonly flag: number; readonly isSkipped?: true }

export type TextKind = 'answer' | 'reasoning' | 'reasoningContent'

/** How the value of each member is counted. Members that are not listed are ignored. */
const actions: Readonly<Record<string, Action>> = {
  content: { type: 'text', of: 'answer' },
  text: { type: 'text', of: 'answer' },
  refusal: { type: 'text', of: 'answer' },
  arguments: { type: 'text', of: 'answer' },
  transcript: { type: 'text', of: 'answer' },
  // Some vendors send the same reasoning under both names.
  reasoning_content: { type: 'text', of: 'reasoningContent' },
  reasoning: { type: 'text', of: 'reasoning' },
  // Members of Anthropic Messages.
  thinking: { type: 'text', of: 'reasoningContent' },
  partial_json: { type: 'text', of: 'answer' },
  // A member of Responses; in the other dialects its value is an object.
  delta: { type: 'text', of: 'answer' },
  name: { type: 'name' },
  data: { type: 'data' },
  url: { type: 'data' },
  usage: { type: 'flag', flag: HAS_USAGE },
  error: { type: 'flag', flag: HAS_ERROR },
  finish_reason: { type: 'flag', flag: HAS_FINISH },
  choices: { type: 'flag', flag: HAS_CHOICES },
  // Members of Gemini.
  finishReason: { type: 'flag', flag: HAS_FINISH },
  promptFeedback: { type: 'flag', flag: HAS_MORE },
  functionCall: { type: 'flag', flag: HAS_MORE },
  inlineData: { type: 'flag', flag: HAS_MORE },
  executableCode: { type: 'flag', flag: HAS_MORE },
  groundingMetadata: { type: 'flag', flag: HAS_MORE },
  // Repetitions of text that is counted already, and values that are not output.
  reasoning_details: { type: 'skip' },
  logprobs: { type: 'skip' },
  prompt_logprobs: { type: 'skip' },
  citations: { type: 'skip' },
  search_results: { type: 'skip' },
  annotations: { type: 'skip' },
  web_search: { type: 'flag', flag: HAS_RESULTS, isSkipped: true },
  search_info: { type: 'flag', flag: HAS_RESULTS, isSkipped: true },
}

interface Known {
  readonly name: Buffer
  readonly action: Action
}

/** Length of the longest listed name. */
export const NAME_BYTES_MAX = Math.max(...Object.keys(actions).map((name) => name.length))

const knownByLength: readonly (readonly Known[])[] = Array.from({ length: NAME_BYTES_MAX + 1 }, (_, length) =>
  Object.entries(actions)
    .filter(([name]) => name.length === length)
    .map(([name, action]) => ({ name: Buffer.from(name), action })),
)

/** Returns the action for the member whose name is at this position, without its quotes. */
export function actionOf(bytes: Buffer, start: number, end: number): Action | undefined {
  const candidates = knownByLength[end - start]
  if (candidates === undefined) return undefined
  for (const { name, action } of candidates) if (isAt(bytes, start, name)) return action
  return undefined
}
