import type { Conversation, Message } from '@tollgate/dialects/canonical/conversation'
import type { ToolCallPart } from '@tollgate/dialects/canonical/part'
import type { UpstreamError } from '@tollgate/dialects/dialect'
import { recordAt, recordsAt, textAt, type JsonObject } from '@tollgate/dialects/json'
import { badBody, insideError, readUpstreamError } from '@tollgate/dialects/errors/upstream-error'
import { usageReader } from '@tollgate/dialects/openai-usage'
import { functionsIn } from '../define/function-tools.ts'
import { dropping, textsOnly, type VendorCodec, tunedBy } from '../define/vendor-codec.ts'
import { objectParts, plainReply, type ReplyParts } from '../define/plain-reply.ts'
import { textOf } from '../ernie/turns.ts'

const { tools: _tools, ...noTools } = textsOnly
const readUsage = usageReader({})

/**
 * iFlytek's chat format over a WebSocket: one message is sent, several are received.
 * https://www.xfyun.cn/doc/spark/Web.html
 */
export const sparkChat: VendorCodec = {
  limits: {
    ...tunedBy('temperature', 'top-k', 'output-limit'),
    ...noTools,
    ...dropping('sampling has fewer settings', 'seed', 'penalties', 'stop'),
  },
  takesUrl: () => false,
  writeRequest,
  readReply: (body) => plainReply(received(body) ?? { error: badBody('bad_response_body') }),
  openReader: () => objectParts(received),
  readError: readUpstreamError,
  readUsage: (answer) => readUsage({ usage: recordAt(usageIn(answer), 'text') }),
}

/**
 * The application id and the domain depend on the channel and are added later, by a quirk of the endpoint.
 */
function writeRequest({ messages, tools, toolChoice, sampling, outputTokensMax }: Conversation): JsonObject {
  const offered = toolChoice?.type === 'none' ? [] : tools
  const functions = functionsIn(offered).map((tool) => ({ ...tool, description: tool.description ?? '' }))
  return {
    parameter: {
      chat: {
        temperature: sampling.temperature,
        top_k: sampling.topK,
        max_tokens: outputTokensMax,
        auditing: false,
      },
    },
    payload: {
      message: { text: messages.flatMap(writeMessage) },
      functions: functions.length > 0 ? { text: functions } : undefined,
    },
  }
}

/** The format has no members for tool calls and results in messages, so they are written as text. */
function writeMessage(message: Message): JsonObject[] {
  const role = message.role === 'developer' ? 'system' : message.role
  const reported = message.parts.flatMap((part) => {
    if (part.type === 'tool-call') return [JSON.stringify({ name: part.name, arguments: part.arguments })]
    return part.type === 'tool-result' ? [textOf(part)] : []
  })
  const content = [...reported, textOf(message)].filter(Boolean).join('\n')
  return content === '' ? [] : [{ role, content }]
}

function received(body: JsonObject): ReplyParts | undefined {
  const header = recordAt(body, 'header')
  if (header === undefined) return undefined
  const error = errorOf(header)
  if (error !== undefined) return { error }
  const choices = recordAt(recordAt(body, 'payload') ?? {}, 'choices') ?? {}
  const texts = recordsAt(choices, 'text')
  const calls = texts.flatMap((text) => callIn(text, textAt(header, 'sid') ?? ''))
  return {
    id: textAt(header, 'sid'),
    reasoning: joined(texts, 'reasoning_content'),
    text: joined(texts, 'content'),
    calls,
    usage: sparkChat.readUsage(body),
    end:
      choices['status'] === 2
        ? ({ reason: calls.length > 0 ? 'tool-calls' : 'stop', raw: '2' } as const)
        : undefined,
  }
}

function joined(texts: readonly JsonObject[], name: string): string {
  return texts.map((text) => textAt(text, name) ?? '').join('')
}

function callIn(text: JsonObject, sid: string): ToolCallPart[] {
  const call = recordAt(text, 'function_call')
  if (call === undefined) return []
  const id = `call_${sid}`
  const { arguments: written } = call
  const reported = typeof written === 'string' ? written : JSON.stringify(written ?? {})
  return [{ type: 'tool-call', id, name: textAt(call, 'name') ?? '', arguments: reported, kind: 'function' }]
}

function usageIn(answer: JsonObject): JsonObject {
  return recordAt(recordAt(answer, 'payload') ?? {}, 'usage') ?? {}
}

/** https://www.xfyun.cn/doc/spark/Web.html#错误码列表 */
function errorOf(header: JsonObject): UpstreamError | undefined {
  const { code } = header
  if (typeof code !== 'number' || code === 0) return undefined
  return {
    ...insideError(textAt(header, 'message') ?? `error ${code}`),
    code: String(code),
    status: statusOf(code),
  }
}

const statuses: readonly (readonly [number, readonly number[]])[] = [
  [401, [10005, 10015, 10016, 11200]],
  [429, [10007, 11201, 11202, 11203]],
  [400, [10003, 10004, 10013, 10014, 10019, 10163, 10907]],
  [503, [10008, 10110]],
]

function statusOf(code: number): number {
  return statuses.find(([, codes]) => codes.includes(code))?.[0] ?? 502
}
