import { rawOf } from '../canonical/raw.ts'
import { problem } from '@tollgate/problems/problem'
import type { AskPath } from '../canonical/codec.ts'
import type { Conversation, Message, OutputFormat, ReasoningRequest } from '../canonical/conversation.ts'
import {
  flag,
  numberOf,
  recordOf,
  recordsOf,
  textOf,
  textsOf,
  unknownMembers,
  memberNames,
} from '../canonical/members.ts'
import { recordAt, textAt, type JsonObject } from '../json.ts'
import { effortNamed } from '../traits/efforts.ts'
import { readContent } from './blocks.ts'
import { readTools } from './read-tools.ts'

/** Reads the body of a Messages request. https://docs.anthropic.com/en/api/messages */
export function readConversation(body: JsonObject, path: AskPath): Conversation {
  const extras = unknownMembers(body, known, 'anthropic')
  const serviceTier = rawOf('anthropic', textOf(body, 'service_tier'))
  return {
    model: textOf(body, 'model') ?? path.model ?? '',
    isStream: flag(body, 'stream') ?? path.isStream ?? false,
    messages: [...readSystem(body), ...recordsOf(body, 'messages').map(readMessage)],
    ...readTools(body),
    sampling: {
      temperature: numberOf(body, 'temperature'),
      topP: numberOf(body, 'top_p'),
      topK: numberOf(body, 'top_k'),
    },
    stop: textsOf(body, 'stop_sequences'),
    choices: 1,
    metadata: { userId: textAt(recordOf(body, 'metadata') ?? {}, 'user_id') },
    extras: extras === undefined ? {} : { anthropic: extras.value },
    wantsUsage: true,
    format: readFormat(body),
    reasoning: readReasoningRequest(body),
    outputTokensMax: numberOf(body, 'max_tokens'),
    serviceTier,
  }
}

const known = memberNames(
  `model stream messages system tools tool_choice temperature top_p top_k stop_sequences metadata service_tier
   output_config output_format thinking max_tokens`,
)

function readSystem(body: JsonObject): readonly Message[] {
  const parts = readContent(body['system'])
  return parts.length === 0 ? [] : [{ role: 'system', parts }]
}

function readMessage(message: JsonObject): Message {
  const role = message['role']
  if (role !== 'user' && role !== 'assistant' && role !== 'system') {
    throw problem('member_invalid', { param: 'role' })
  }
  return { role, parts: readContent(message['content']) }
}

/** https://docs.anthropic.com/en/docs/build-with-claude/structured-outputs */
function readFormat(body: JsonObject): OutputFormat | undefined {
  const config = recordOf(body, 'output_config')
  const format = (config && recordAt(config, 'format')) ?? recordOf(body, 'output_format')
  const schema = format && recordAt(format, 'schema')
  return schema && { type: 'schema', name: 'answer', schema, isStrict: true }
}

/** https://docs.anthropic.com/en/docs/build-with-claude/extended-thinking */
function readReasoningRequest(body: JsonObject): ReasoningRequest | undefined {
  const thinking = recordOf(body, 'thinking')
  const word = textAt(recordOf(body, 'output_config') ?? {}, 'effort')
  if (thinking === undefined && word === undefined) return undefined
  return {
    ...(thinking && readThinking(thinking)),
    effort: effortNamed(word),
    raw: { dialect: 'anthropic', value: { thinking, effort: word } },
  }
}

const displays = new Map<unknown, ReasoningRequest['shows']>([
  ['summarized', 'summary'],
  ['omitted', 'nothing'],
])

function readThinking(thinking: JsonObject): ReasoningRequest {
  const type = thinking['type']
  return {
    mode: type === 'disabled' ? 'off' : type === 'adaptive' ? 'adaptive' : 'on',
    budgetTokens: numberOf(thinking, 'budget_tokens'),
    shows: displays.get(thinking['display']),
  }
}
