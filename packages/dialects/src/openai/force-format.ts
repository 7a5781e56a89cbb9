import { isRecord, recordAt, recordsAt, type JsonObject } from '../json.ts'

const messageMembers = [
  'role',
  'content',
  'reasoning_content',
  'refusal',
  'audio',
  'tool_calls',
  'function_call',
] as const
const choiceMembers = ['text', 'logprobs', 'finish_reason'] as const
const answerMembers = ['created', 'model', 'system_fingerprint'] as const

/** Rebuilds a response or a chunk from the members that OpenAI defines; all others are dropped. */
export function forceFormat(answer: JsonObject, kind: 'answer' | 'chunk'): JsonObject {
  return {
    ...pick(answer, ['id']),
    object: objectName(answer, kind),
    ...pick(answer, answerMembers),
    choices: recordsAt(answer, 'choices').map(formatChoice),
    ...pick(answer, ['usage']),
  }
}

function formatChoice(choice: JsonObject): JsonObject {
  const formatted: Record<string, unknown> = { index: choice['index'] ?? 0 }
  for (const name of ['message', 'delta']) {
    const message = recordAt(choice, name)
    if (message !== undefined) formatted[name] = formatMessage(message)
  }
  return { ...formatted, ...pick(choice, choiceMembers) }
}

function formatMessage(message: JsonObject): JsonObject {
  const reasoning = message['reasoning']
  const renamed = typeof reasoning === 'string' ? { reasoning_content: reasoning } : {}
  return { ...renamed, ...pick(message, messageMembers) }
}

function objectName(answer: JsonObject, kind: 'answer' | 'chunk'): string {
  const isLegacy = recordsAt(answer, 'choices').some(
    (choice) => !isRecord(choice['message']) && 'text' in choice,
  )
  if (isLegacy) return 'text_completion'
  return kind === 'chunk' ? 'chat.completion.chunk' : 'chat.completion'
}

function pick(object: JsonObject, names: readonly string[]): Record<string, unknown> {
  const picked: Record<string, unknown> = {}
  for (const name of names) if (object[name] !== undefined) picked[name] = object[name]
  return picked
}
