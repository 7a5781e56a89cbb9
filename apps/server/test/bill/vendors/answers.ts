import type { ServerResponse } from 'node:http'
import type { Moment, VendorPlan } from './plan.ts'
import { vendorRules } from './rules.ts'

type Pause = (moment: Moment) => Promise<void>
type AnsweredPlan = Pick<VendorPlan, 'vendor' | 'isStream' | 'work' | 'fixed'>

/** Writes the answer of a plan, waiting at its moments. */
export async function writeAnswer(response: ServerResponse, plan: AnsweredPlan, pause: Pause): Promise<void> {
  const pieces = plan.isStream ? streamPieces(plan) : wholePieces(plan)
  response.writeHead(200, { 'content-type': plan.isStream ? 'text/event-stream' : 'application/json' })
  response.flushHeaders()
  await pause('head')
  response.write(pieces.begin)
  await pause('middle')
  response.write(pieces.middle)
  await pause('usage')
  response.write(pieces.usage)
  await pause('last')
  response.end(pieces.last)
}

interface AnswerPieces {
  readonly begin: string
  readonly middle: string
  readonly usage: string
  readonly last: string
}

/** Four pieces, of which the third contains the usage. */
function wholePieces(plan: AnsweredPlan): AnswerPieces {
  const text = JSON.stringify(wholeAnswer(plan))
  const at = Math.max(8, text.indexOf('"usage'))
  const mid = Math.floor(at / 2)
  return {
    begin: text.slice(0, mid),
    middle: text.slice(mid, at),
    usage: text.slice(at, -1),
    last: text.slice(-1),
  }
}

function wholeAnswer({ vendor, work, fixed }: AnsweredPlan): Readonly<Record<string, unknown>> {
  if (fixed !== undefined) return fixed.answer
  const usage = vendorRules[vendor].usage(work)
  const { model } = work
  if (vendor === 'pictures') return { created: 1, data: [{ b64_json: 'AAAA' }] }
  if (vendor === 'gemini')
    return {
      candidates: [
        { content: { role: 'model', parts: [{ text: 'hello' }] }, finishReason: 'STOP', index: 0 },
      ],
      modelVersion: model,
      usageMetadata: usage,
    }
  if (vendor === 'messages')
    return {
      id: 'msg_1',
      type: 'message',
      role: 'assistant',
      model,
      content: [{ type: 'text', text: 'hello' }],
      stop_reason: 'end_turn',
      usage,
    }
  const message = { role: 'assistant', content: 'hello' }
  return {
    id: 'chatcmpl-1',
    object: 'chat.completion',
    created: 1,
    model,
    choices: [{ index: 0, message, finish_reason: 'stop' }],
    usage,
  }
}

function streamPieces(plan: AnsweredPlan): AnswerPieces {
  if (plan.vendor === 'messages') return messagePieces(plan)
  return plan.vendor === 'gemini' ? geminiPieces(plan) : chatPieces(plan)
}

function chatPieces({ work }: AnsweredPlan): AnswerPieces {
  const frame = (more: Record<string, unknown>) =>
    `data: ${JSON.stringify({ id: 'chatcmpl-1', object: 'chat.completion.chunk', created: 1, model: work.model, ...more })}\n\n`
  const say = (content: string) => frame({ choices: [{ index: 0, delta: { content }, finish_reason: null }] })
  const end = frame({ choices: [{ index: 0, delta: {}, finish_reason: 'stop' }] })
  return {
    begin: say('hel'),
    middle: say('lo') + end,
    usage: frame({ choices: [], usage: vendorRules.chat.usage(work) }),
    last: 'data: [DONE]\n\n',
  }
}

function writeEvent(data: { readonly type: string; readonly [name: string]: unknown }): string {
  return `event: ${data.type}\ndata: ${JSON.stringify(data)}\n\n`
}

function messagePieces({ work }: AnsweredPlan): AnswerPieces {
  const usage = vendorRules.messages.usage(work)
  const { iterations: _later, ...early } = usage
  const message = { id: 'msg_1', type: 'message', role: 'assistant', model: work.model, content: [] }
  const start = writeEvent({
    type: 'message_start',
    message: { ...message, usage: { ...early, output_tokens: 1 } },
  })
  const say = (text: string) =>
    writeEvent({ type: 'content_block_delta', index: 0, delta: { type: 'text_delta', text } })
  return {
    begin:
      start +
      writeEvent({ type: 'content_block_start', index: 0, content_block: { type: 'text', text: '' } }),
    middle: say('hel') + say('lo') + writeEvent({ type: 'content_block_stop', index: 0 }),
    usage: writeEvent({ type: 'message_delta', delta: { stop_reason: 'end_turn' }, usage }),
    last: writeEvent({ type: 'message_stop' }),
  }
}

function geminiPieces({ work }: AnsweredPlan): AnswerPieces {
  const frame = (text: string, more: Record<string, unknown> = {}) => {
    const candidate = { content: { role: 'model', parts: [{ text }] }, index: 0 }
    return `data: ${JSON.stringify({ candidates: [{ ...candidate, ...more }], modelVersion: work.model })}\r\n\r\n`
  }
  const last = {
    candidates: [{ content: { role: 'model', parts: [{ text: '!' }] }, finishReason: 'STOP', index: 0 }],
    modelVersion: work.model,
    usageMetadata: vendorRules.gemini.usage(work),
  }
  return {
    begin: frame('hel'),
    middle: frame('lo'),
    usage: `data: ${JSON.stringify(last)}\r\n\r\n`,
    last: '\r\n',
  }
}
